# plot.gp: draws the charts of docs/performance.md from the files build/bench/*.dat that report.py
# writes.
#
# Rates span three decades, so their axes are logarithmic. They are drawn as points, since a bar
# would need a zero.

set encoding utf8
set terminal svg size 920,460 font "DejaVu Sans,13" background "#ffffff"
set datafile missing "-"
set key outside right center vertical samplen 2 spacing 1.25 width -2
set grid ytics lc rgb "#dddddd" lt 1
set border 3
set tics nomirror out
dat(name) = "build/bench/" . name . ".dat"

# Each library has the same colour and mark in all charts.
set style line 1 lc rgb "#c1121f" lw 3 pt 7 ps 1.1   # utf8ext
set style line 2 lc rgb "#1d6fb8" lw 2 pt 5 ps 0.8   # simdutf
set style line 3 lc rgb "#2a9d5c" lw 2 pt 9 ps 0.9   # simdutf8
set style line 4 lc rgb "#e08e0b" lw 2 pt 11 ps 0.9  # Rust std
set style line 5 lc rgb "#7b4fa3" lw 2 pt 13 ps 0.9  # encoding_rs
set style line 6 lc rgb "#5c6670" lw 2 pt 4 ps 0.8   # ICU
set style line 7 lc rgb "#b5838d" lw 2 pt 6 ps 0.8   # CPython
set style line 8 lc rgb "#009aa6" lw 2 pt 8 ps 0.8   # bstr
set style line 9 lc rgb "#999999" lw 2 dt 2          # limit

# The name of simdutf's best implementation here: the first column of valid.dat that is named so.
simdutf = system("head -1 build/bench/valid.dat | grep -o 'simdutf [a-z]*' | head -1")

set logscale y
set ytics add ("0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1, "2" 2, "5" 5, "10" 10, "20" 20, "50" 50, "100" 100, "200" 200)
set ylabel "GB/s"

# ---- by script ------------------------------------------------------------------------------

set xrange [-0.5:10.5]
set yrange [0.1:250]
set xtics rotate by -35
set title "Validation of 64 KB, by script (more is better)"
set output "docs/speed-by-script.svg"
plot dat("valid") using "read":xtic(1) with lines ls 9 title "limit: read only", \
     "" using "utf8ext" with points ls 1 title "utf8ext", \
     "" using "simdutf8" with points ls 3 title "simdutf8", \
     "" using simdutf with points ls 2 title simdutf, \
     "" using "encoding_rs" with points ls 5 title "encoding\\_rs", \
     "" using "Rust std" with points ls 4 title "Rust std", \
     "" using "bstr" with points ls 8 title "bstr", \
     "" using "ICU" with points ls 6 title "ICU", \
     "" using "CPython" with points ls 7 title "CPython"

# ---- SQL ------------------------------------------------------------------------------------

# A panel with its own axis for each row size: 24, 100 and 1000 bytes.
reset
set encoding utf8
set terminal svg size 920,380 font "DejaVu Sans,13" background "#ffffff"
set grid ytics lc rgb "#dddddd" lt 1
set border 3
set tics nomirror out
unset xtics
set style data histograms
set style histogram clustered gap 0.6
set style fill solid 0.9 noborder
set yrange [0:*]
set output "docs/sql-rows.svg"
set multiplot title "SELECT count(f(x)), rows of text of all scripts (less is better)"
set lmargin 0
set tmargin at screen 0.85
set bmargin at screen 0.14
rows = "build/bench/rows.dat"
do for [panel = 0:2] {
  set lmargin at screen 0.10 + 0.245 * panel
  set rmargin at screen 0.29 + 0.245 * panel
  if (panel == 0) { set ylabel "ns a row" } else { unset ylabel }
  if (panel == 2) { set key at screen 0.99, 0.7 vertical samplen 1 spacing 1.3 } else { unset key }
  set xlabel "rows of " . system(sprintf("sed -n '%ds/^\"\\([^\"]*\\)\".*/\\1/p' %s", panel + 2, rows))
  plot rows using "fetch" every ::panel::panel lc rgb "#999999" title "text and length", \
       "" using "utf8_valid" every ::panel::panel lc rgb "#c1121f" title "utf8\\_valid", \
       "" using "utf8_codepoints" every ::panel::panel lc rgb "#e5707a" title "utf8\\_codepoints", \
       "" using "utf8_repair" every ::panel::panel lc rgb "#f2b5ba" title "utf8\\_repair", \
       "" using "length" every ::panel::panel lc rgb "#1d6fb8" title "length"
}
unset multiplot
