// Root hooks of mocha: what a test file starts decides to which suite it belongs. A file of `npm test` starts no
// process and opens no socket beyond this machine; a file of `npm run test:system`, named `*.system.test.ts`, starts a
// process. A file of either that takes more than five minutes is ended, and named.
import childProcess from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { relative, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { root } from './lib.mjs'

const SYSTEM = /\.system\.test\.[mc]?js$/
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.|localhost\.?$|0\.0\.0\.0$|::$)/
/** Random tests draw the same cases in each run; `npm run verify` gives a new seed. */
const SEED = 20_260_101
const LIMIT_S = Number(process.env.MYNAH_FILE_LIMIT_S ?? 300)

fc.configureGlobal({ seed: Number(process.env.MYNAH_TEST_SEED ?? SEED) })

/** The programs and connections that each file has started; those of files that are being loaded are at undefined. */
const started = new Map()
let current

/** Notes what the current file starts. @throws Error where its suite does not allow that */
function note(what) {
  started.set(current, [...(started.get(current) ?? []), what])
  if (current !== undefined && !SYSTEM.test(current)) throw new Error(faultOf(current))
}

const nameOf = (file) => relative(root, resolve(root, file))

/** Returns what is wrong with the name of a file, or undefined. */
function faultOf(file, isWhole = false) {
  const what = started.get(file) ?? []
  if (!SYSTEM.test(file) && what.length)
    return `${nameOf(file)} starts ${what[0]}; name it *.system.test, so that npm run test:system runs it`
  if (SYSTEM.test(file) && isWhole && what.length === 0)
    return `${nameOf(file)} starts nothing; take ".system" out of its name, so that npm test runs it`
  return undefined
}

const { spawn } = childProcess.ChildProcess.prototype
childProcess.ChildProcess.prototype.spawn = function (options) {
  note(options.file)
  return spawn.call(this, options)
}
for (const name of ['execSync', 'execFileSync', 'spawnSync']) {
  const original = childProcess[name]
  childProcess[name] = (program, ...rest) => {
    note(program)
    return original(program, ...rest)
  }
}
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  const host = typeof first === 'object' ? first.host : second
  if (typeof host === 'string' && !LOOPBACK.test(host)) note(`a connection to ${host}`)
  return connect.apply(this, args)
}
syncBuiltinESMExports()
// A browser and a database of the process serve several files, and are started by the first of them.
subscribe('mynah:test-uses', note)

// A thread, because a file that hangs may never let its own timers run.
const watch = new Worker(
  `const { parentPort } = require('node:worker_threads')
   const { writeSync } = require('node:fs')
   let timer
   parentPort.on('message', (file) => {
     clearTimeout(timer)
     if (file) timer = setTimeout(() => {
       writeSync(2, file + ' hangs: ended after ${LIMIT_S} s\\n')
       process.kill(process.pid, 'SIGKILL')
     }, ${LIMIT_S * 1000})
   })`,
  { eval: true, stdout: false, stderr: false },
)
watch.unref()

/** Returns all tests of a suite. */
const testsOf = (suite) => [...suite.tests, ...suite.suites.flatMap(testsOf)]

function begin(file) {
  if (current !== file) watch.postMessage(nameOf(file))
  current = file
}

/** @throws Error where the file belongs to the other suite */
function end(file, isWhole) {
  watch.postMessage(undefined)
  current = undefined
  const fault = faultOf(file, isWhole)
  if (fault) throw new Error(fault)
}

const havePassed = (tests) => tests.every(({ state }) => state === 'passed')
const filesOf = (suite) => [...new Set([...suite.tests, ...suite.suites].map(({ file }) => file))]

export const mochaHooks = {
  beforeAll() {
    const whole = this.test.parent
    const files = filesOf(whole)
    if (files.length === 1) {
      // In a parallel run each file is loaded alone, so that what was started meanwhile is its own.
      started.set(files[0], started.get(undefined) ?? [])
      started.delete(undefined)
      return begin(files[0])
    }
    const isKnown = !started.has(undefined)
    for (const file of files) {
      const suites = whole.suites.filter((suite) => suite.file === file)
      for (const suite of suites) {
        suite.beforeAll('the suite of the file', () => begin(file))
        // Before the hooks of the file itself.
        suite._beforeAll.unshift(suite._beforeAll.pop())
      }
      suites.at(-1)?.afterAll('the suite of the file', () => end(file, isKnown && havePassed(suites.flatMap(testsOf))))
    }
  },
  afterAll() {
    const [file, ...more] = filesOf(this.test.parent)
    if (file !== undefined && more.length === 0) end(file, havePassed(testsOf(this.test.parent)))
  },
}
