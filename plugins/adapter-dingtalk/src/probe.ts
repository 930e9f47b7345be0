import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import type { DingTalkConfig } from './config.js'
import { connectError, DingTalkError } from './errors.js'
import { Rest } from './rest.js'
import { streamAddress } from './stream.js'

/**
 * Gets a token and the address of a stream, which it does not use. Asks for a file that does not exist: the same
 * permission lets the robot send.
 */
export async function probe({ config, clock, signal }: AccountProbe<DingTalkConfig>): Promise<ProbeResult> {
  const rest = new Rest(config, clock, signal)
  try {
    await streamAddress(rest, config)
    const lacks = await lacksPermission(rest, config.clientId)
    const missing =
      'qyapi_robot_sendmsg: the bot cannot send by itself or read files. Grant it in the Developer Console, on the ' +
      'page Permission Management of the application'
    return { id: config.clientId, ...(lacks ? { missing: [missing] } : {}) }
  } catch (error) {
    throw connectError(error)
  }
}

async function lacksPermission(rest: Rest, robotCode: string): Promise<boolean> {
  try {
    await rest.call('/v1.0/robot/messageFiles/download', { downloadCode: 'none', robotCode })
    return false
  } catch (error) {
    if (!(error instanceof DingTalkError) || error.status === 401 || error.status >= 500) throw error
    return error.status === 403 && error.retryAfter === undefined
  }
}
