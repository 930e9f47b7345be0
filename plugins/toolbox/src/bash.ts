// The tool `bash`: asks the policy, waits for the owner where it must, and runs a command once, whatever stops in between.
import { Type } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { defineTool, toolResult, type Tool, type ToolCall, type ToolOutput } from '@mynah/plugin-ai/api'
import type { Chat } from '@mynah/plugin-chat/api'
import { NEEDS_OWNER, type Approvals, type ExecContext, type ExecOrigin, type ExecOutcome, type ExecSecurity, type RunResult } from '@mynah/plugin-exec-security/api'
import { Spool } from './spool.js'
import type { Results } from './results.js'
import type { Workspace } from './workspace.js'

const SECONDS = 120
const MOST_SECONDS = 600
const PROGRESS_MS = 1_000

interface Deps {
  readonly exec: () => ExecSecurity | undefined
  readonly approvals: () => Approvals | undefined
  readonly chat: () => Chat | undefined
  readonly workspace: () => Workspace
  readonly results: Results
  readonly now: () => number
  readonly roles: readonly string[] | undefined
}

const originOf = ({ origin: { adapter, endpoint, channel, user }, subagent }: ToolCall): ExecOrigin => ({ adapter, endpointId: endpoint, channel, userId: user, ...(subagent ? { subagent: true } : {}) })

const failed = (text: string): ToolOutput => toolResult(text, { isError: true })

export function bash(deps: Deps): Tool {
  const { results } = deps
  return defineTool({
    name: 'bash',
    description: 'Runs a command in bash in the working folder. Some commands need the owner’s approval, for which it waits. Long output is cut to its end.',
    keywords: ['shell', 'command', 'terminal', 'run', 'execute', '命令', '执行', '运行'],
    // A call that waited runs again; one that had started its command says so instead.
    effect: 'repeatable',
    timeout: (MOST_SECONDS + 10) * 1_000,
    ...(deps.roles ? { requiredAnyRole: deps.roles } : {}),
    parameters: Type.Object({
      command: Type.String({ minLength: 1, maxLength: 20_000 }),
      timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_SECONDS, description: `Seconds; default ${SECONDS}` })),
    }),
    async run({ command, timeout = SECONDS }, call) {
      const exec = deps.exec()
      if (!exec) return failed('Commands cannot be run: the plugin exec-security is not there.')
      const begun = await results.begun(call)
      if (begun.started) return failed('The host stopped while this ran; whether it happened is unknown. Look before you run it again.')
      let asked = begun.approval
      let isNew = false
      try {
        for (;;) {
          const refused = asked === undefined ? undefined : await awaited(deps, call, asked, isNew)
          if (refused !== undefined) return refused
          const outcome = await attempt(deps, exec, call, command, timeout, asked !== undefined)
          if (outcome.verdict === 'deny') return failed(`The command is refused: ${outcome.decision.reason}`)
          if (outcome.verdict === 'allow') return outcome.text
          asked = outcome.approvalId
          isNew = true
          // Stopped while the request was made: nobody is told of it.
          call.signal.throwIfAborted()
          if (call.subagent) return `${NEEDS_OWNER} ${asked}\nThe owner was asked. End here and say what is to be run; you go on when the owner has answered, and then run exactly this command again.`
          await results.begin(call, { approval: asked })
          call.signal.throwIfAborted()
          call.progress(`${NEEDS_OWNER} ${asked}`)
        }
      } catch (error) {
        // A turn that was stopped needs no answer any more; one that goes on after a start still does.
        if (asked !== undefined && call.signal.aborted && !goesOn(call.signal.reason)) await withdraw(deps, call, asked)
        throw error
      }
    },
  })
}

type Attempt = (Exclude<ExecOutcome, { readonly verdict: 'allow' }> & { readonly text?: undefined }) | { readonly verdict: 'allow'; readonly text: ToolOutput }

async function attempt({ workspace, results, now }: Deps, exec: ExecSecurity, call: ToolCall, command: string, seconds: number, approved: boolean): Promise<Attempt> {
  const spool = new Spool()
  let told = -Infinity
  const context: ExecContext & { readonly origin: ExecOrigin } = { origin: originOf(call), cwd: await workspace().ready() }
  // Only what may start is marked: a request for approval starts nothing.
  if (!approved && exec.evaluate(command, context).verdict !== 'allow') {
    const answer = await exec.request(command, context)
    if (answer.verdict !== 'allow') return answer
  }
  call.signal.throwIfAborted()
  await results.begin(call, { started: true })
  const outcome = await exec.run(command, {
    ...context, limitMs: seconds * 1_000, signal: call.signal, maxOutput: 0,
    onOutput(text) {
      spool.add(text)
      const at = now()
      if (at - told < PROGRESS_MS) return
      told = at
      call.progress(spool.lastLine())
    },
  })
  if (outcome.verdict !== 'allow') return outcome
  return { verdict: 'allow', text: resultOf(await results.fit(spool.text(), call, 'tail'), outcome.result, seconds) }
}

function resultOf(output: string, { exitCode, signal, timedOut }: RunResult, seconds: number): ToolOutput {
  const end = timedOut ? `[ended after ${seconds} s, as it took longer]` : exitCode === null ? `[ended by ${signal ?? 'a signal'}]` : exitCode === 0 ? '' : `[exit code ${exitCode}]`
  const text = [output.trimEnd(), end].filter(Boolean).join('\n') || '[no output]'
  return exitCode === 0 ? text : failed(text)
}

/** Waits for the owner; gives what to say where the answer is no. */
async function awaited(deps: Deps, call: ToolCall, id: string, isNew: boolean): Promise<ToolOutput | undefined> {
  const approvals = deps.approvals()
  if (!approvals) return failed('The owner cannot be asked: the plugin exec-security is not there.')
  const end = await call.wait('approval', id, (signal) => {
    // Beside the wait: the turn is to know of the request as soon as it can, since it takes it back when it is given up.
    if (isNew) void tell(deps, call, id)
    return approvals.wait(id, signal)
  })
  if (end === 'approved') return undefined
  return failed(end === 'denied' ? 'The owner has refused this command.' : end === 'withdrawn' ? 'The request was withdrawn; the command was not run.' : 'The owner did not answer in time; the command was not run.')
}

/** Takes a request back. Where that fails it expires by itself: why the call ends is what counts. */
async function withdraw({ approvals }: Deps, call: ToolCall, id: string): Promise<void> {
  try {
    await approvals()?.withdraw(id)
  } catch (error) {
    call.log.warn(`the request ${id} could not be withdrawn: ${messageOf(error)}`)
  }
}

const goesOn = (reason: unknown): boolean => reason instanceof Error && (reason as Error & { readonly state?: unknown }).state === 'left'

/** Whoever asked and is not the owner learns why nothing happens; the owner has the request already. */
async function tell({ chat }: Deps, call: ToolCall, id: string): Promise<void> {
  const { adapter, endpoint, channel } = call.origin
  if (adapter === undefined || endpoint === undefined || channel === undefined) return
  if (call.roles.has('master') && channel.type === 'private') return
  try {
    await chat()?.send(adapter, endpoint, channel, `${NEEDS_OWNER} ${id}\nThis needs the owner, who was asked.`, { key: `approval/${id}` })
  } catch (error) {
    call.log.warn(`it could not be told that the owner was asked: ${messageOf(error)}`)
  }
}
