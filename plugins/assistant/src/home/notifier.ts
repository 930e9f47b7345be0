import type { ToolCall } from '@mynah/plugin-ai/api'
import { jobNotifier, type JobNotifier, type Notice } from '@mynah/plugin-cron/api'
import type { Home } from './home.js'

/** Creates the notifier of the channel `ha`, which calls a service of the home. */
export function homeNotifier(connect: (call: Omit<ToolCall, 'signal'>) => Home): JobNotifier {
  return jobNotifier<'ha'>({
    channel: 'ha',
    async send({ service, target }, notice) {
      const [domain = '', name = ''] = service.split('.')
      const data = { ...fieldsOf(target), message: notice.text, title: notice.label }
      await connect(callOf(notice)).call(domain, name, undefined, data, notice.signal)
    },
  })
}

function fieldsOf(target: unknown): Record<string, unknown> {
  if (target === undefined) return {}
  if (typeof target === 'object' && target !== null && !Array.isArray(target)) return target as Record<string, unknown>
  return { target }
}

/** Returns the context of a tool call for a notice, because a home behind MCP is called through tools. */
const callOf = ({ runId, jobId, signal, log }: Notice): Omit<ToolCall, 'signal'> => ({
  roles: new Set(['master']),
  origin: {},
  session: `job|${jobId}`,
  turn: '',
  id: runId,
  log,
  progress() {},
  wait: (_kind, _id, work) => work(signal),
  ask: () => Promise.reject(new Error('A notice has no user to ask')),
})
