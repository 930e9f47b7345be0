import type { AdapterItem } from '@mynah/contract/types'
import { isRecord, type Json } from '../config/model.js'
import { propertiesOf, valuesOf } from '../config/schema.js'

/** The platforms of this project that a host can enable, by the name of their adapter. */
const OFFERED: Readonly<Record<string, string>> = {
  dingtalk: 'DingTalk',
  discord: 'Discord',
  irc: 'IRC',
  lark: 'Lark (Feishu)',
  mail: 'Mail',
  matrix: 'Matrix',
  onebot: 'QQ (OneBot)',
  slack: 'Slack',
  telegram: 'Telegram',
  webhook: 'Webhook',
  xmpp: 'XMPP',
}

export interface Platform {
  readonly name: string
  readonly label: string
  /** Schema of an account. Absent while no enabled plugin provides the adapter. */
  readonly schema?: Json
  /** The steps on the platform itself, in Markdown, by language. */
  readonly guide?: AdapterItem['guide']
}

/** Returns the platforms of enabled plugins and those that can be enabled, without the sandbox. */
export function platformsOf(
  adapters: readonly Pick<AdapterItem, 'name' | 'platform' | 'schema' | 'guide'>[],
): Platform[] {
  const enabled = adapters
    .filter(({ name }) => name !== 'sandbox')
    .map(({ name, platform, schema, guide }) => ({
      name,
      label: platform,
      ...(isRecord(schema) ? { schema } : {}),
      ...(guide ? { guide } : {}),
    }))
  const others = Object.entries(OFFERED)
    .filter(([name]) => !enabled.some((platform) => platform.name === name))
    .map(([name, label]) => ({ name, label }))
  return [...enabled, ...others].sort((a, b) => a.label.localeCompare(b.label))
}

/** The families of models by the value of `sdk`, and the fields that one has to fill in. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  openai: ['apiKey'],
  anthropic: ['apiKey'],
  google: ['apiKey'],
  deepseek: ['apiKey'],
  ollama: ['host'],
  'openai-compatible': ['baseUrl', 'apiKey'],
}

/** Returns the first name that is not taken: `irc`, `irc-2`, … */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  for (let count = 2; taken.includes(name); count++) name = `${wanted}-${count}`
  return name
}

/** Returns the schema of one provider in that of the section `ai`. */
export function providerSchemaOf(ai: unknown): Json | undefined {
  const providers = isRecord(ai) ? new Map(propertiesOf(ai)).get('providers') : undefined
  return providers && valuesOf(providers)
}

/** Returns the command that installs a package, when a message of the host names one. */
export const installCommandIn = (message: string): string | undefined => /npm install [@\w./-]+/.exec(message)?.[0]
