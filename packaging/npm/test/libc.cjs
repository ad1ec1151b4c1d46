// On Linux, with the packages for glibc and musl both installed, the one of this process is chosen.
'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { getLoadablePath } = require('utf8ext')

const REPORTS = { glibc: { glibcVersionRuntime: '2.36' }, musl: {} }
const id = (library) => `utf8ext-linux-${process.arch}-${library}`

for (const library in REPORTS) {
  const directory = path.join(__dirname, 'node_modules', id(library))
  fs.mkdirSync(directory, { recursive: true })
  fs.writeFileSync(path.join(directory, 'package.json'), '{}')
}
for (const [library, header] of Object.entries(REPORTS)) {
  process.report.getReport = () => ({ header })
  assert.equal(path.basename(path.dirname(getLoadablePath())), id(library))
}
