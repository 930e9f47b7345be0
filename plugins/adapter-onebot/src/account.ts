import type { Self } from '@mynah/plugin-chat/api'
import { ActionError, connectErrorOf, type Transport } from './action.js'
import { idOf, isRecord, nameOf } from './wire.js'

/** Asks which account the server has, and whether QQ has let it in. */
export async function login(transport: Transport, selfId: string | undefined): Promise<Self & { readonly id: string }> {
  let account: unknown
  let status: unknown
  try {
    account = await transport.call('get_login_info', {})
    status = await transport.call('get_status', {}).catch((error: unknown) => {
      // Not every server has it.
      if (error instanceof ActionError) return undefined
      throw error
    })
  } catch (error) {
    throw connectErrorOf(error)
  }
  const fields = isRecord(account) ? account : {}
  const id = idOf(fields.user_id)
  if (id === undefined) throw new Error('The OneBot server answers get_login_info without an account: check `url`')
  if (selfId !== undefined && selfId !== id)
    throw new Error(`The OneBot server has the account ${id}, and \`selfId\` names ${selfId}`)
  if (isRecord(status) && status.online === false)
    throw new Error(`The account ${id} is not logged in to QQ: log in at the OneBot server`)
  return { id, name: nameOf(fields.nickname) ?? id }
}
