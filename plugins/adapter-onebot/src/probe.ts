import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { login } from './account.js'
import type { Transport } from './action.js'
import { configMistake, type OneBotConfig } from './config.js'
import { openSocket } from './forward.js'
import { HttpTransport } from './http-transport.js'
import { PATH } from './reverse.js'
import { SocketTransport } from './socket-transport.js'
import { isRecord } from './wire.js'

const CHECKS = [
  ['can_send_image', 'The OneBot server cannot send images (can_send_image): look into its log'],
  [
    'can_send_record',
    'The OneBot server cannot send voice messages (can_send_record): it needs ffmpeg, or its own encoder',
  ],
] as const

async function missingAt(transport: Transport): Promise<string[]> {
  const missing: string[] = []
  for (const [action, sentence] of CHECKS) {
    const answer = await transport.call(action, {}).catch(() => undefined)
    if (isRecord(answer) && answer.yes === false) missing.push(sentence)
  }
  return missing
}

async function examine(transport: Transport, selfId: string | undefined): Promise<ProbeResult> {
  try {
    return { ...(await login(transport, selfId)), missing: await missingAt(transport) }
  } finally {
    await transport.close()
  }
}

/**
 * Logs in and leaves again. Events that arrive meanwhile are not taken.
 *
 * @param connected returns a connection of a server that has connected with this token
 */
export async function probe(
  { config, log, clock, signal }: AccountProbe<OneBotConfig>,
  hasServer: boolean,
  connected: (token: string) => Transport | undefined,
): Promise<ProbeResult> {
  const mistake = configMistake(config, hasServer)
  if (mistake) throw new Error(mistake)
  const { mode = 'reverse', token = '', selfId } = config
  if (mode === 'http') return examine(new HttpTransport(config, clock, signal, () => {}), selfId)
  if (mode === 'forward') {
    const socket = await openSocket(config, signal)
    return examine(
      new SocketTransport(socket, { clock, log, onEvent: () => Promise.resolve(), onLost: () => {} }),
      selfId,
    )
  }
  const transport = connected(token)
  if (transport) return { ...(await login(transport, selfId)), missing: await missingAt(transport) }
  return {
    missing: [
      'No OneBot server has connected yet: save the endpoint, then add a WebSocket client in the network settings of ' +
        `the server, with the address ws://<this host>${PATH}<id> and the token`,
    ],
  }
}
