// The usual list of tests; a run without any has failed. Where MYNAH_FAILED names a file: the test files in which something failed, a line each.
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

  /** Mocha's own check looks at each file by itself where several run at once, and some have types to check and no tests. */
  done(failures, exit) {
    exit(failures === 0 && this.stats.tests === 0 ? 1 : failures)
  }
}
