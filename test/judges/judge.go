// judge.go: compares utf8ext with Go's decoders.
//
//	go run test/judges/judge.go build/answers.tsv
//
//	utf8_valid                      utf8.Valid
//	policy byte                     the range loop over a string
//	policy run                      strings.ToValidUTF8 with U+FFFD
//	an empty replacement            strings.ToValidUTF8 with ""
//	utf8_each of well-formed text   []rune
//
// Go's rules are the same in all of these. It has no maximal subparts, kinds of error or other
// dialects.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

var compared = []string{"utf8_valid", "utf8_each", "policy byte", "policy run", "an empty replacement"}

func hexed(text string) string {
	return strings.ToUpper(hex.EncodeToString([]byte(text)))
}

func rangeLoop(text string) string {
	var out strings.Builder
	for _, r := range text {
		out.WriteRune(r)
	}
	return out.String()
}

func codepoints(text string) string {
	var out []string
	for _, r := range text {
		out = append(out, fmt.Sprint(r))
	}
	return strings.Join(out, " ")
}

func agrees(name string, row map[string]string, text string) bool {
	switch name {
	case "utf8_valid":
		return (row["valid"] == "1") == utf8.ValidString(text)
	case "utf8_each":
		return !utf8.ValidString(text) || row["each_utf8"] == codepoints(text)
	case "policy byte":
		return row["bytewise"] == hexed(rangeLoop(text))
	case "policy run":
		return row["runs"] == hexed(strings.ToValidUTF8(text, "\uFFFD"))
	}
	return row["empty"] == hexed(strings.ToValidUTF8(text, ""))
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	names := strings.Split(lines.Text(), "\t")
	inputs, wrong, first := 0, map[string]int{}, map[string]string{}
	for lines.Scan() {
		row := map[string]string{}
		for i, cell := range strings.Split(lines.Text(), "\t") {
			row[names[i]] = cell
		}
		text, _ := hex.DecodeString(row["input"])
		inputs++
		for _, name := range compared {
			if !agrees(name, row, string(text)) {
				if wrong[name] == 0 {
					first[name] = row["input"]
				}
				wrong[name]++
			}
		}
	}
	for _, name := range compared {
		if wrong[name] > 0 {
			fmt.Printf("not ok Go: %s: %d differ, first %s\n", name, wrong[name], first[name])
		} else {
			fmt.Printf("ok Go: %s\n", name)
		}
	}
	fmt.Printf("%s on %d inputs\n", runtime.Version(), inputs)
	fmt.Printf("%d passed, %d failed\n", len(compared)-len(wrong), len(wrong))
	if len(wrong) > 0 || inputs == 0 || lines.Err() != nil {
		os.Exit(1)
	}
}
