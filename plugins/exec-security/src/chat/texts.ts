// The texts of the plugin in chat, in both languages.
import { inLanguages, type Localized } from '@mynah/plugin-chat/api'
import type { Approval } from '../approvals/approval.js'
import { marked, markedLine, markedPattern } from '../approvals/marks.js'
import type { PermanentGrant } from '../approvals/permanent-approvals.js'

/** The content of `/approve list`. */
interface Overview {
  readonly permanent: PermanentGrant
  readonly pending: readonly Approval[]
  readonly prefix: string
}

/** Characters of a name. */
const NAME = 120

/** The command as it is, marked line by line: nothing in it can pass for a line of ours. */
const quoted = (command: string): string =>
  marked(command)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
/** Returns a foreign name, or the beginning of a long one. */
const plain = (word: string): string => markedLine(word.length > NAME ? `${word.slice(0, NAME)}…` : word)

/** Returns the command of a request, or the title of any other request, on one line. */
const nameOf = ({ kind, title, command }: Approval): string => (kind === 'bash' ? markedLine(command) : plain(title))

const ruleLine = ({ id, pattern }: { readonly id: string; readonly pattern: string }): string =>
  `${id.slice(0, 8)}  ${markedPattern(pattern)}`

const en = {
  descriptions: {
    approve: 'Approves a waiting command, once',
    deny: 'Refuses a waiting command',
    alwaysBash: 'Skips the confirmation of commands for good',
    always: 'The same, while a command waits',
    rule: 'Allows subcommands that match a pattern as a whole',
    list: 'Shows what waits and what is allowed for good',
    revokeRule: 'Deletes a rule, by its id or the first 8 characters',
    revoke: 'Takes back everything that was allowed for good',
  },
  once: 'Run it once',
  refuse: 'Refuse',
  request: (
    { id, kind, title, command, reason, suggestion, userId, channel, subagent, folder, adds }: Approval,
    prefix: string,
    hasButtons: boolean,
  ): string =>
    [
      [
        `${kind === 'bash' ? 'A command' : plain(title)} waits for your confirmation`,
        userId === null ? '' : `, asked for by ${plain(userId)}`,
        channel === null ? '' : ` in ${plain(channel)}`,
        subagent ? ' (through a sub-agent):' : ':',
      ].join(''),
      quoted(command),
      ...(folder ? [`Folder: ${markedLine(folder)}`] : []),
      ...(adds?.length ? [`It adds: ${markedLine(adds.join(', '))}`] : []),
      kind === 'bash' ? `Not covered: ${markedLine(reason)}` : `Why: ${markedLine(reason)}`,
      ...(hasButtons ? [] : [`${prefix}approve ${id} – run it once`, `${prefix}approve deny ${id} – refuse it`]),
      ...(suggestion === null
        ? []
        : [`${prefix}approve rule ${markedPattern(suggestion)} – allow exactly this subcommand for good`]),
      'Answer yes or no, or by one of the commands. It expires in 30 minutes.',
    ].join('\n'),
  /** One line of a list that `reader` is shown. */
  listed: (approval: Approval, reader: string): string => {
    const { userId } = approval
    return nameOf(approval) + (userId === null || userId === reader ? '' : ` (for ${plain(userId)})`)
  },
  /** Said of a request that can no longer be answered. */
  over: (approval: Approval) =>
    approval.status === 'expired'
      ? `No longer to be answered, the time is over: ${nameOf(approval)}`
      : `Taken back, nothing waits for your answer any more: ${nameOf(approval)}`,
  approved: (id: string) => `Approved: ${id} may run once within 30 minutes.`,
  denied: (id: string) => `Denied: ${id}.`,
  alwaysOn: (approved: number, waiting: number) =>
    'Commands of this bot run without confirmation from now on. The blacklist still holds.' +
    en.settled(approved, waiting),
  nothingWaits: (prefix: string) =>
    `No command waits for confirmation. Use ${prefix}approve always bash to skip the confirmation for good.`,
  ruleAdded: (id: string, pattern: string, approved: number, waiting: number) =>
    `Rule ${id} allows, with redirections and input only as written: ${markedPattern(pattern)}` +
    en.settled(approved, waiting),
  settled: (approved: number, waiting: number): string =>
    `${approved ? ` ${approved} waiting approved.` : ''}${waiting ? ` ${waiting} still waiting.` : ''}`,
  ruleRefused: (problem: string) => `This is no rule: ${problem}`,
  ruleRevoked: (id: string, pattern: string) => `Rule ${id} is deleted: ${markedPattern(pattern)}`,
  revoked: 'Everything that was allowed for good is taken back.',
  list: ({ permanent, pending, prefix }: Overview) =>
    [
      `Without confirmation: ${permanent.bashAlways ? 'yes' : 'no'}`,
      permanent.bashRules.length ? `Rules:\n${permanent.bashRules.map(ruleLine).join('\n')}` : 'No rules.',
      pending.length
        ? `Waiting:\n${pending.map(({ id, command }) => `${prefix}approve ${id}  ${markedLine(command)}`).join('\n')}`
        : 'Nothing waits.',
    ].join('\n'),
}

const zh: typeof en = {
  descriptions: {
    approve: '批准一条等待中的命令（仅一次）',
    deny: '拒绝一条等待中的命令',
    alwaysBash: '永久跳过命令确认',
    always: '同上，但仅在有命令等待确认时可用',
    rule: '允许与表达式完整匹配的子命令',
    list: '查看等待中的命令和长期授权',
    revokeRule: '按 id 或前 8 个字符删除规则',
    revoke: '撤销全部长期授权',
  },
  once: '执行一次',
  refuse: '拒绝',
  request: (
    { id, kind, title, command, reason, suggestion, userId, channel, subagent, folder, adds },
    prefix,
    hasButtons,
  ) =>
    [
      [
        kind === 'bash' ? '有一条命令等待确认' : `${plain(title)} 等待确认`,
        userId === null ? '' : `，请求者 ${plain(userId)}`,
        channel === null ? '' : `，来自 ${plain(channel)}`,
        subagent ? '（子代理）：' : '：',
      ].join(''),
      quoted(command),
      ...(folder ? [`文件夹：${markedLine(folder)}`] : []),
      ...(adds?.length ? [`额外允许：${markedLine(adds.join('、'))}`] : []),
      kind === 'bash' ? `未覆盖：${markedLine(reason)}` : `原因：${markedLine(reason)}`,
      ...(hasButtons ? [] : [`${prefix}approve ${id} – 执行一次`, `${prefix}approve deny ${id} – 拒绝`]),
      ...(suggestion === null
        ? []
        : [`${prefix}approve rule ${markedPattern(suggestion)} – 长期仅允许该子命令及其后所写的内容`]),
      '回复“是”或“否”，或使用命令。30 分钟后失效。',
    ].join('\n'),
  listed: (approval, reader) => {
    const { userId } = approval
    return nameOf(approval) + (userId === null || userId === reader ? '' : `（${plain(userId)}）`)
  },
  over: (approval) =>
    approval.status === 'expired'
      ? `已过期，无需再回答：${nameOf(approval)}`
      : `已撤回，无需再回答：${nameOf(approval)}`,
  approved: (id) => `已批准：${id} 可在 30 分钟内执行一次。`,
  denied: (id) => `已拒绝：${id}。`,
  alwaysOn: (approved, waiting) => `此后该机器人的命令不再需要确认，黑名单仍然有效。${zh.settled(approved, waiting)}`,
  nothingWaits: (prefix) => `没有等待确认的命令。永久跳过确认请用 ${prefix}approve always bash。`,
  ruleAdded: (id, pattern, approved, waiting) =>
    `规则 ${id} 允许（重定向和输入仅限所写内容）：${markedPattern(pattern)}${zh.settled(approved, waiting)}`,
  settled: (approved, waiting) =>
    `${approved ? ` 已批准 ${approved} 条等待中的命令。` : ''}${waiting ? ` 仍有 ${waiting} 条等待。` : ''}`,
  ruleRefused: (problem) => `规则无效（${problem}）`,
  ruleRevoked: (id, pattern) => `已删除规则 ${id}：${markedPattern(pattern)}`,
  revoked: '已撤销全部长期授权。',
  list: ({ permanent, pending, prefix }) =>
    [
      `免确认：${permanent.bashAlways ? '是' : '否'}`,
      permanent.bashRules.length ? `规则：\n${permanent.bashRules.map(ruleLine).join('\n')}` : '没有规则。',
      pending.length
        ? `等待中：\n${pending.map(({ id, command }) => `${prefix}approve ${id}  ${markedLine(command)}`).join('\n')}`
        : '没有等待中的命令。',
    ].join('\n'),
}

export type Texts = typeof en
export const textsFor = inLanguages<Texts>({ en, 'zh-CN': zh })
/** A description for the help. */
export const description = (of: keyof Texts['descriptions']): Localized => ({
  en: en.descriptions[of],
  'zh-CN': zh.descriptions[of],
})
