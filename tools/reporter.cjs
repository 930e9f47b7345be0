// The reporter of mocha. A run without tests fails. Writes each failure to the file MYNAH_FAILED, if set, as a line of
// JSON with the test file, the test and the first line of the error.
const { appendFileSync } = require('node:fs')
const { reporters, Runner } = require('mocha')

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const target = process.env.MYNAH_FAILED
    if (!target) return
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      const file = test.file ?? test.parent?.file ?? '?'
      const [line] = String(error?.message ?? error)
        .trim()
        .split('\n')
      appendFileSync(target, `${JSON.stringify({ file, test: test.fullTitle(), error: line })}\n`)
    })
  }

  /** Mocha itself would fail for one file without tests in a parallel run; some files only check types. */
  done(failures, exit) {
    exit(failures === 0 && this.stats.tests === 0 ? 1 : failures)
  }
}
