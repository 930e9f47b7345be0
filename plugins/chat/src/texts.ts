import type { BaseCode, WireError } from '@mynah/contract'
import { inLanguages } from './api/languages.js'
import type { Role } from './api/message.js'

/** A request in a numbered list. */
interface Listed {
  readonly number: number
  readonly title: string
}

/** Whether an error says that a part of the host is missing. Its message is for operators: it may name files. */
const isNotReady = (code: string): boolean => code.split(':', 1)[0] === 'not_ready'

/** People with a role, as they are called in chats. */
const OF_ROLE: Readonly<Record<Role, { readonly en: string; readonly zh: string }>> = {
  user: { en: 'everyone', zh: '所有人' },
  group_admin: { en: 'administrators of the group', zh: '群管理员' },
  group_owner: { en: 'the owner of the group', zh: '群主' },
  trusted: { en: 'people whom my owner trusts', zh: '我的主人信任的人' },
  master: { en: 'my owner', zh: '我的主人' },
}

const en = {
  greeting: (name: string) => (name === '' ? 'Hello!' : `Hello, I am ${name}.`),
  talk: 'Write to me, and I answer.',
  help: 'Commands:',
  helpMore: (prefix: string) => `${prefix}help <command> tells more.`,
  noCommands: 'There are no commands.',
  aliases: (names: string) => `Also: ${names}`,
  arguments: 'Arguments:',
  options: 'Options:',
  examples: 'Examples:',
  subcommands: 'Sub-commands:',
  optional: 'optional',
  defaultsTo: (value: string) => `default ${value}`,
  noSuchCommand: (name: string) => `There is no command ${name}.`,
  didYouMean: (name: string, meant: string) => `There is no command ${name}. Did you mean ${meant}?`,
  missing: (name: string, usage: string) => `"${name}" is missing. Usage: ${usage}`,
  tooMany: (extra: string, usage: string) => `"${extra}" is too much. Usage: ${usage}`,
  unknownOption: (name: string, usage: string) => `There is no option ${name}. Usage: ${usage}`,
  needsValue: (name: string) => `The option ${name} needs a value.`,
  notInteger: (name: string, value: string) => `"${name}" must be a whole number, not "${value}".`,
  notNumber: (name: string, value: string) => `"${name}" must be a number, not "${value}".`,
  notBoolean: (name: string, value: string) => `"${name}" must be yes or no, not "${value}".`,
  notChoice: (name: string, choices: string) => `"${name}" must be one of ${choices}.`,
  outOfRange: (name: string, range: string) => `"${name}" must be ${range}.`,
  unclosedQuote: 'A quotation mark is not closed.',
  notAllowed: (roles: readonly Role[]) =>
    `This command is for ${roles.map((role) => OF_ROLE[role].en).join(' and ')} only.`,
  reordered: 'The message has characters that show its text in another order. Please type it again without them.',
  privateOnly: 'This command works in a private chat only.',
  tooFast: (seconds: number) => `Too fast: try again in ${seconds} s.`,
  interrupted: 'The host stopped while your message was being handled. Please say it again.',
  failed: (name: string) => `${name} failed; the log of the host has the reason.`,
  /** The text for an error that is written for the user. `lacks` names a missing part to an operator. */
  wire: ({ code, message }: WireError, lacks?: string): string => {
    if (!isNotReady(code)) return message
    if (lacks !== undefined) return `That cannot be done at the moment: ${lacks}`
    return 'That cannot be done at the moment. Please try again in a moment.'
  },
  waiting: (listed: readonly Listed[], count: number) =>
    [
      count === 1 ? 'One request waits for your answer:' : `${count} requests wait for your answer:`,
      ...listed.map(({ number, title }) => `${number}. ${title}`),
      ...(count > listed.length ? [`… and ${count - listed.length} more`] : []),
      `Answer by number, such as "${listed[0]?.number} yes" or "${listed.at(-1)?.number} no".`,
    ].join('\n'),
}

/** The texts of one language. */
export type Texts = typeof en

const codes: Readonly<Record<BaseCode, string>> = {
  unauthorized: '未经授权',
  forbidden: '不允许这样做',
  not_found: '找不到',
  method_not_allowed: '不支持这种方式',
  invalid_request: '输入无效',
  unsupported_media_type: '不支持的类型',
  too_large: '内容过大',
  rate_limited: '操作过快',
  not_ready: '暂时不可用',
  upstream_unavailable: '外部服务不可用',
  unsupported: '不支持',
  conflict: '与当前状态冲突',
  unknown_method: '没有此方法',
  internal: '内部错误',
}

const zh: Texts = {
  greeting: (name) => (name === '' ? '你好！' : `你好，我是 ${name}。`),
  talk: '直接给我发消息，我会回答。',
  help: '命令：',
  helpMore: (prefix) => `${prefix}help <命令> 查看详情。`,
  noCommands: '没有可用的命令。',
  aliases: (names) => `别名：${names}`,
  arguments: '参数：',
  options: '选项：',
  examples: '示例：',
  subcommands: '子命令：',
  optional: '可选',
  defaultsTo: (value) => `默认 ${value}`,
  noSuchCommand: (name) => `没有命令 ${name}。`,
  didYouMean: (name, meant) => `没有命令 ${name}，你是想用 ${meant} 吗？`,
  missing: (name, usage) => `缺少“${name}”。用法：${usage}`,
  tooMany: (extra, usage) => `“${extra}”是多余的。用法：${usage}`,
  unknownOption: (name, usage) => `没有选项 ${name}。用法：${usage}`,
  needsValue: (name) => `选项 ${name} 需要一个值。`,
  notInteger: (name, value) => `“${name}”必须是整数，而不是“${value}”。`,
  notNumber: (name, value) => `“${name}”必须是数字，而不是“${value}”。`,
  notBoolean: (name, value) => `“${name}”必须是 yes 或 no，而不是“${value}”。`,
  notChoice: (name, choices) => `“${name}”必须是 ${choices} 之一。`,
  outOfRange: (name, range) => `“${name}”必须 ${range}。`,
  unclosedQuote: '引号没有闭合。',
  notAllowed: (roles) => `只有${roles.map((role) => OF_ROLE[role].zh).join('和')}可以使用此命令。`,
  reordered: '消息中含有改变文字显示顺序的字符。请去掉它们后重新输入。',
  privateOnly: '此命令只能在私聊中使用。',
  tooFast: (seconds) => `操作过快，请 ${seconds} 秒后再试。`,
  interrupted: '处理你的消息时主机停止了，请再说一遍。',
  failed: (name) => `${name} 执行失败，原因见主机日志。`,
  wire: ({ code, message }, lacks) => {
    if (!isNotReady(code)) return `${codes[code.split(':', 1)[0] as BaseCode]}（${message}）`
    return lacks === undefined ? '现在暂时做不到，请稍后再试。' : `现在暂时做不到：${lacks}`
  },
  waiting: (listed, count) =>
    [
      `有 ${count} 个请求等待你的回答：`,
      ...listed.map(({ number, title }) => `${number}. ${title}`),
      ...(count > listed.length ? [`……还有 ${count - listed.length} 个`] : []),
      `请按编号回答，例如“${listed[0]?.number} 是”或“${listed.at(-1)?.number} 否”。`,
    ].join('\n'),
}

export const textsFor = inLanguages<Texts>({ en, 'zh-CN': zh })
