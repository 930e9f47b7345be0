import type { MailConfig } from './config.js'

const ADDRESS = /^(?!~)[^\s<>@",;:()[\]\\]{1,64}@[\p{L}\p{N}.-]{1,190}$/u
/** Before an address that the server has not verified. No address begins with it, so that rights never match. */
const UNVERIFIED = '~'
const CHANNEL = /^(~?)((?!~)[^\s<>@",;:()[\]\\]{1,64}@[\p{L}\p{N}.-]{1,190})(?::(.{1,300}))?$/u

/** Returns an address in lower case; `undefined` for text that is none. */
export function addressOf(text: unknown): string | undefined {
  const address = typeof text === 'string' ? text.trim().toLowerCase() : ''
  return ADDRESS.test(address) ? address : undefined
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** The address of the bot. */
export const ownAddress = ({ from, user }: MailConfig): string | undefined => addressOf(from ?? user)

/** Returns whether an address may write to the bot. */
export function isAllowed(address: string, allow: readonly string[]): boolean {
  return allow.some((entry) => {
    const wanted = entry.toLowerCase()
    return wanted === '*' || wanted === address || (wanted.startsWith('@') && wanted.slice(1) === domainOf(address))
  })
}

/** The id of a person, which tells verified addresses from others. */
export const personIdOf = (address: string, isVerified: boolean): string => `${isVerified ? '' : UNVERIFIED}${address}`

/** Returns the address and the thread of the id of a channel. */
export function parseChannelId(id: string): { readonly address: string; readonly thread?: string } | undefined {
  const [, , address, thread] = CHANNEL.exec(id) ?? []
  if (address === undefined) return undefined
  return thread === undefined ? { address } : { address, thread }
}
