import { probeSandbox } from './run/sandbox.js'

export { probeSandbox, type SandboxProbe } from './run/sandbox.js'

/** A finding of the doctor: `ok` is in order, `note` is worth knowing, `mend` has to be fixed. */
export interface SandboxFinding {
  readonly state: 'ok' | 'note' | 'mend'
  readonly subject: string
  readonly text: string
  readonly remedy?: string
}

const SUBJECT = 'command sandbox'
const REMEDY = 'Install bubblewrap (`bwrap`) and let it use user namespaces'

/** Tries the sandbox and says what that means for `ai.agent.execSandbox` and `ai.agent.execSecurity`. */
export async function checkSandbox(setting: unknown, security: unknown): Promise<SandboxFinding> {
  if (security === undefined || security === 'deny')
    return { state: 'ok', subject: SUBJECT, text: 'not needed: shell commands are forbidden' }
  if (setting === 'off')
    return {
      state: 'note',
      subject: SUBJECT,
      text: 'switched off: commands see what the host sees',
      remedy: 'Set ai.agent.execSandbox to auto',
    }
  const probe = await probeSandbox()
  if (probe.available)
    return {
      state: 'ok',
      subject: SUBJECT,
      text: 'works: commands run apart from the data and configuration of the host',
    }
  if (setting === 'required')
    return { state: 'mend', subject: SUBJECT, text: `every command is refused: ${probe.reason}`, remedy: REMEDY }
  return { state: 'note', subject: SUBJECT, text: `commands run without one: ${probe.reason}`, remedy: REMEDY }
}
