// The reporter of mocha. A run without tests fails. Where these variables name a file, it writes a line there:
//   MYNAH_FAILED   for each failure, JSON with the test file, the test and the first line of the error
//   MYNAH_RAN      for each test file with a test
//   MYNAH_SKIPPED  for each test that was skipped, with its file; the title has the reason
const { appendFileSync } = require('node:fs')
const { reporters, Runner } = require('mocha')

const { EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Runner.constants
const { MYNAH_FAILED: failed, MYNAH_RAN: ran, MYNAH_SKIPPED: skipped } = process.env

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    if (failed)
      runner.on(EVENT_TEST_FAIL, (test, error) => {
        const file = test.file ?? test.parent?.file ?? '?'
        const [line] = String(error?.message ?? error)
          .trim()
          .split('\n')
        appendFileSync(failed, `${JSON.stringify({ file, test: test.fullTitle(), error: line })}\n`)
      })
    if (ran) {
      const files = new Set()
      runner.on(EVENT_TEST_END, ({ file }) => {
        if (files.has(file)) return
        files.add(file)
        appendFileSync(ran, `${file}\n`)
      })
    }
    if (skipped) runner.on(EVENT_TEST_PENDING, (test) => appendFileSync(skipped, `${test.file}: ${test.fullTitle()}\n`))
  }

  /** Mocha itself would fail for one file without tests in a parallel run; some files only check types. */
  done(failures, exit) {
    exit(failures === 0 && this.stats.tests === 0 ? 1 : failures)
  }
}
