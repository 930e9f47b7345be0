// The usual list of tests, and where MYNAH_FAILED names a file: the test files in which something failed, a line each.
const { appendFileSync } = require('node:fs')
const { reporters, Runner } = require('mocha')

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const target = process.env.MYNAH_FAILED
    if (!target) return
    const known = new Set()
    runner.on(Runner.constants.EVENT_TEST_FAIL, ({ file, parent }) => {
      const name = file ?? parent?.file ?? '?'
      if (known.has(name)) return
      known.add(name)
      appendFileSync(target, `${name}\n`)
    })
  }
}
