// Checks the form of answers. Each function returns what is wrong with an answer, or undefined. This package has no
// dependencies, so the patterns are its own: the adapters accept what passes here (see create-formats.test.ts).

/** A name or an address of a server, without a scheme and a port. */
export const host = (answer: string): string | undefined =>
  (/^[\p{L}\p{N}._-]{1,253}$/u.test(answer) && /^[^.-][^.]*(?:\.[^.]+)*\.?$/.test(answer)) ||
  /^[0-9a-f]*:[0-9a-f:.]+$/i.test(answer)
    ? undefined
    : 'is no name of a server: write it like irc.example.org'

export const port = (answer: string): string | undefined =>
  /^\d{1,5}$/.test(answer) && Number(answer) >= 1 && Number(answer) <= 65_535
    ? undefined
    : 'is no port: write a number from 1 to 65535'

export const yesOrNo = (answer: string): string | undefined =>
  answer === 'true' || answer === 'false' ? undefined : 'is neither true nor false'

/** A nick; servers decide how long it may be, and some take letters of all languages. */
export const nick = (answer: string): string | undefined =>
  /^[\p{L}[\]\\`_^{|}][\p{L}\p{N}[\]\\`_^{|}-]{0,63}$/u.test(answer)
    ? undefined
    : 'is no nick: begin it with a letter, without spaces'

export const channel = (answer: string): string | undefined =>
  /^[#&+!][^\s,:]{1,199}$/.test(answer) ? undefined : 'is no channel: write it like #mynah-bots'

export const httpAddress = (answer: string): string | undefined => {
  const address = URL.canParse(answer) ? new URL(answer) : undefined
  return address && /^https?:$/.test(address.protocol) ? undefined : 'is no address: begin it with http:// or https://'
}

export const telegramToken = (answer: string): string | undefined =>
  /^\d{1,20}:[\w-]{1,128}$/.test(answer) ? undefined : 'is no token: @BotFather writes it like 123456789:AAF3x…'
