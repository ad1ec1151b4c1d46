/* detect/accident.c: finds text in a legacy charset that happens to be well-formed, by its column. */
#include "detect/accident.h"
#include "core/bytes.h"

/* A column has this many different ill-formed values at least, and of OTHERS that count, at most one is of another
** history. */
#define ACCIDENT_VALUES 8
#define ACCIDENT_OTHERS 16

int utf8detect_has_accidents(const Utf8Mixture *column) {
  const size_t counted = utf8detect_mixture_counted(column);
  const size_t most = utf8detect_mixture_commonest(column);
  if (counted < ACCIDENT_VALUES || most >= UTF8_HISTORY_DAMAGED) return 0;
  if (column->rows_ill_formed <= column->rows_well_formed) return 0;
  const uint64_t others = counted - column->counts.agreed / UINT16_MAX;
  return others * ACCIDENT_OTHERS <= counted;
}

int utf8detect_is_accident(const uint8_t *text, size_t size,
                           Utf8CauseEvidence *evidence, const Utf8Neighbours *among,
                           Utf8Reading *reading) {
  Utf8Readings r;
  if (bytes_skip_ascii(text, 0, size) == size) return 0;
  utf8detect_cause_begin(evidence);
  utf8detect_cause_add(evidence, text, size, 0, size);
  utf8detect_readings(&r, evidence, utf8detect_mixture_hash(text, size), among);
  if (r.count == 0 || r.list[0].probability < UTF8_PROBABILITY_SURE) return 0;
  *reading = r.list[0];
  return reading->cause.kind == UTF8_CAUSE_CHARSET;
}
