// The error if only the package utf8ext is installed: node missing.cjs PACKAGE VERSION
'use strict'
const assert = require('node:assert/strict')
const { getLoadablePath, load } = require('utf8ext')

const [, , wanted, version] = process.argv
const error = {
  code: 'UTF8EXT_NOT_INSTALLED',
  message:
    `utf8ext: the package ${wanted} is not installed; install utf8ext without --omit=optional, on the` +
    ` platform that runs it, or run: npm install ${wanted}@${version}`,
}
assert.throws(() => getLoadablePath(), error)
assert.throws(() => load({ loadExtension() {} }), error)

Object.defineProperty(process, 'arch', { value: 'mips' })
assert.throws(() => getLoadablePath(), {
  code: 'UTF8EXT_NOT_INSTALLED',
  message: /^utf8ext has no package for utf8ext-\w+-mips.*; there are: utf8ext-/,
})
