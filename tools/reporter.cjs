// The reporter of mocha. A run without tests fails. Writes test files with a failure to the file MYNAH_FAILED, if set.
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

  /** Mocha itself would fail for one file without tests in a parallel run; some files only check types. */
  done(failures, exit) {
    exit(failures === 0 && this.stats.tests === 0 ? 1 : failures)
  }
}
