// Answers of the agent's commands, by language. Names of models, servers, files and sections are not translated.
import { inLanguages } from '@mynah/plugin-chat/api'
import type { ThinkingLevel, Usage } from '@mynah/plugin-ai/api'
import type { SectionFile, TurnState } from '../api.js'
import type { Compacted } from '../compaction/compacted.js'
import type { Entry } from '../session/types.js'

const number = (value: number): string => value.toLocaleString('en-US')
const cached = ({ input, cachedInput }: Usage): number => (input ? Math.round((cachedInput / input) * 100) : 0)
const cost = ({ cost: sum }: Usage): string => (sum === undefined ? '' : sum.toFixed(4))
/** The stage of a turn. After `tool` and `waiting for` comes the name of the tool, or of what is awaited. */
type Stage = 'queued' | 'prepare' | 'model' | 'tool' | 'waiting for' | 'deliver'
const isStage = (word: string, stages: Readonly<Record<Stage, string>>): word is Stage => Object.hasOwn(stages, word)

/** A turn as `/status` shows it. */
interface Running {
  readonly state: TurnState
  readonly stage: string
  readonly step: number
  readonly model: string | null
  readonly seconds: number
  readonly waiting?: { readonly kind: string; readonly id: string }
}
/** The kinds of entries that `/context` counts. */
export type CountedKind = 'user' | 'assistant' | 'tool' | Exclude<Entry['kind'], 'message'>

type UsageScope = 'conversation' | 'everybody' | 'yours'
const usageScopes: Readonly<Record<UsageScope, string>> = {
  conversation: 'This conversation',
  everybody: 'The last 30 days, everybody',
  yours: 'Your last 30 days',
}
const kindNames: Readonly<Record<CountedKind, string>> = {
  user: 'messages of users',
  assistant: 'messages of the agent',
  tool: 'results of tools',
  prompt: 'instructions and tools',
  cut: 'cut',
  summary: 'summary',
  branch_summary: 'branch_summary',
}

const en = {
  pairing: {
    waiting: 'waits for your answer',
    paired: 'may talk to the bot',
    refused: 'was refused',
    expired: 'was not answered',
    none: 'There are no such people.',
    removed: 'Forgotten.',
  },
  refusal: 'This needs one of the roles master and trusted.',
  nothingToCompact: 'There is nothing to compact.',
  noSummary: 'No summary could be made; the log has the reason. Nothing was changed.',
  compacted: ({ tokensBefore, tokensAfter, messagesBefore, messagesAfter }: Compacted) =>
    `Compacted: about ${number(tokensBefore)} tokens before, ${number(tokensAfter)} after. ` +
    `${messagesAfter} of ${messagesBefore} messages were kept as they are.`,
  begins: (stopped: number) =>
    stopped
      ? `A new conversation begins. ${stopped} running ${stopped === 1 ? 'turn was' : 'turns were'} stopped.`
      : 'A new conversation begins.',
  goesOn: (index: number) => `The conversation continues from message ${index}.`,
  noPoint: (index: number) => `There is no message ${index} to go back to.`,
  carried: 'Summary of the branch that was left:',
  notCarried: 'There is no summary of the branch that was left.',
  nothingToStop: 'Nothing of yours is being answered here.',
  used: (of: UsageScope, usage: Usage) =>
    `${usageScopes[of]}: ${number(usage.input)} tokens in (${cached(usage)} % cached), ` +
    `${number(usage.output)} out${cost(usage) && `, ${cost(usage)}`}`,
  sessionSummary: (messages: number, running: number, queued: number) =>
    `${messages} messages, ${running === 0 ? 'nothing is being answered' : `${running} being answered`}, ` +
    `${queued} queued`,
  running: ({ state, stage, step, model, seconds, waiting }: Running) =>
    `${state}: ${stage}, step ${step}${model ? `, ${model}` : ''}, for ${seconds} s` +
    (waiting ? `, waiting for ${waiting.kind} ${waiting.id}` : ''),
  meanwhile: 'Something was said meanwhile. Please try again.',
  renewed: 'Files, skills and tools were read again. They are used from the next message on.',
  entries: (of: CountedKind, count: number, tokens: number) =>
    `${kindNames[of]}: ${count}, about ${number(tokens)} tokens`,
  section: (title: string, bytes: number, tokens: number) =>
    `${title}: ${number(bytes)} bytes, about ${number(tokens)} tokens`,
  tools: (count: number, tokens: number) => `tools: ${count}, about ${number(tokens)} tokens`,
  server: (name: string, count: number, tokens: number) =>
    `of the MCP server ${name}: ${count}, about ${number(tokens)} tokens`,
  file: ({ name, raw, injected, cut }: SectionFile) =>
    `${name}: ${number(raw)} bytes raw, ${number(injected)} injected${cut ? ', cut' : ''}`,
  sentFiles: 'files sent with messages:',
  model: {
    isChosen: (model: string) => `Model: ${model} (chosen for this conversation)`,
    isOwn: (model: string | undefined) => `Model: ${model ?? 'none'}`,
    usable: (models: readonly string[], more: number) =>
      `You may choose: ${models.join(', ')}${more ? `, and ${more} more: /models lists them` : ''}. ` +
      '/model default takes a choice back.',
    chosen: (model: string) => `From the next message on ${model} answers in this conversation.`,
    ownAgain: (model: string | undefined) =>
      `The agent’s own model answers again${model === undefined ? '' : `: ${model}`}.`,
    unknown: (meant: string | undefined) =>
      meant === undefined
        ? 'There is no such model for you to choose. /model lists those that there are.'
        : `There is no such model for you to choose. Did you mean ${meant}?`,
    mastersOnly: 'Only a master can choose another one.',
    thinks: (level: ThinkingLevel | undefined) => `Thinking: ${level ?? 'as configured'}`,
    noThinking: (model: string) => `${model} has no such setting, so this has no effect on it.`,
  },
  noAgent: 'There is no agent of this name in this chat.',
  noModel: 'No model is configured.',
  cooling: (seconds: number, why: string) => `cooling for ${seconds} s: ${why}`,
  /** States of providers, checks and plugins. */
  state: (state: string): string => state,
  health: {
    /** The state of something, with the reason of the log when there is a problem. */
    line: (name: string, how: string, reason?: string) => `${name}: ${how}${reason ? `, ${reason}` : ''}`,
    model: (alias: string) => `model ${alias}`,
    noProviders: 'model: none is configured in ai.providers',
    noModels: 'model: the plugin ai is not enabled; it is installed with: npm install @mynah/plugin-ai',
    mcp: 'MCP',
    noMcp: 'the plugin mcp is not enabled',
    jobs: (count: number, failing: number) => `jobs: ${count}${failing ? `, ${failing} failing` : ''}`,
    noJobs: 'jobs: the plugin cron is not enabled',
    failed: 'error',
    database: 'database',
    and: '; ',
    stored: 'sessions are stored',
    inMemory: 'sessions are kept in memory',
    allRun: 'all plugins run',
  },
}

/** The texts of one language. */
export type CommandTexts = typeof en

const states: Readonly<Record<string, string>> = {
  queued: '排队中',
  running: '进行中',
  waiting: '等待中',
  delivering: '发送中',
  done: '已完成',
  failed: '失败',
  interrupted: '已中断',
  stopped: '已停止',
  ready: '就绪',
  discovering: '正在发现',
  ok: '正常',
  degraded: '部分可用',
  pending: '等待中',
  starting: '启动中',
  stopping: '停止中',
  inactive: '未运行',
}
const state = (word: string): string => states[word] ?? word
const stages: Readonly<Record<Stage, string>> = {
  queued: '排队',
  prepare: '准备',
  model: '模型',
  tool: '工具',
  'waiting for': '等待',
  deliver: '发送',
}
const kinds: Readonly<Record<string, string>> = { approval: '主人批准', question: '回答', tasks: '任务', job: '作业' }
function stageOf(stage: string): string {
  const [, word = stage, rest = ''] = /^(waiting for|tool) (.*)$/s.exec(stage) ?? []
  return isStage(word, stages) ? `${stages[word]}${rest && ` ${kinds[rest] ?? rest}`}` : state(stage)
}

const zhUsageScopes: Readonly<Record<UsageScope, string>> = {
  conversation: '本次对话',
  everybody: '最近 30 天，所有人',
  yours: '你最近 30 天',
}
const zhKindNames: Readonly<Record<CountedKind, string>> = {
  user: '用户所说',
  assistant: '智能体所说',
  tool: '工具结果',
  prompt: '指令与工具',
  cut: '裁剪',
  summary: '摘要',
  branch_summary: '分支摘要',
}

const levels: Readonly<Record<ThinkingLevel, string>> = { off: '关闭', low: '少', high: '多' }

const zh: CommandTexts = {
  pairing: {
    waiting: '等待你的答复',
    paired: '可以与机器人交谈',
    refused: '已被拒绝',
    expired: '未获答复',
    none: '没有这样的人。',
    removed: '已撤销。',
  },
  refusal: '这需要 master 或 trusted 角色。',
  nothingToCompact: '没有可压缩的内容。',
  noSummary: '无法生成摘要，原因见日志；对话没有改变。',
  compacted: ({ tokensBefore, tokensAfter, messagesBefore, messagesAfter }) =>
    `已压缩：之前约 ${number(tokensBefore)} token，之后约 ${number(tokensAfter)}；` +
    `${messagesBefore} 条消息中有 ${messagesAfter} 条原样保留。`,
  begins: (stopped) => `新的对话开始了${stopped ? `，停止了 ${stopped} 个进行中的回合` : ''}。`,
  goesOn: (index) => `对话从第 ${index} 条消息继续。`,
  noPoint: (index) => `没有第 ${index} 条消息可以返回。`,
  carried: '所离开分支的摘要：',
  notCarried: '所离开的分支没有摘要。',
  nothingToStop: '这里没有正在为你进行的回答。',
  used: (of, usage) =>
    `${zhUsageScopes[of]}：输入 ${number(usage.input)} token（缓存 ${cached(usage)} %），` +
    `输出 ${number(usage.output)}${cost(usage) && `，费用 ${cost(usage)}`}`,
  sessionSummary: (messages, running, queued) =>
    `${messages} 条消息；${running === 0 ? '没有正在进行的回答' : `${running} 个回答进行中`}；${queued} 个在等待位置`,
  running: ({ state: now, stage, step, model, seconds, waiting }) =>
    `${state(now)}：${stageOf(stage)}，第 ${step} 步${model ? `，${model}` : ''}，已 ${seconds} 秒` +
    (waiting ? `，等待${kinds[waiting.kind] ?? waiting.kind} ${waiting.id}` : ''),
  meanwhile: '期间又有新消息，请再试一次。',
  renewed: '已重新读取文件、技能和工具，从下一条消息起生效。',
  entries: (of, count, tokens) => `${zhKindNames[of]}：${count} 条，约 ${number(tokens)} token`,
  section: (title, bytes, tokens) => `${title}：${number(bytes)} 字节，约 ${number(tokens)} token`,
  tools: (count, tokens) => `工具：${count} 个，约 ${number(tokens)} token`,
  server: (name, count, tokens) => `MCP 服务器 ${name}：${count} 个，约 ${number(tokens)} token`,
  file: ({ name, raw, injected, cut }) =>
    `${name}：原始 ${number(raw)} 字节，注入 ${number(injected)}${cut ? '，已截断' : ''}`,
  sentFiles: '随消息发送的文件：',
  model: {
    isChosen: (model) => `模型：${model}（为本次对话所选）`,
    isOwn: (model) => `模型：${model ?? '无'}`,
    usable: (models, more) =>
      `可以选择：${models.join('，')}${more ? `，另有 ${more} 个，见 /models` : ''}。/model default 取消选择。`,
    chosen: (model) => `从下一条消息起，本次对话由 ${model} 回答。`,
    ownAgain: (model) => `恢复使用智能体自己的模型${model === undefined ? '' : `：${model}`}。`,
    unknown: (meant) =>
      meant === undefined ? '没有这个可选的模型。/model 列出可选的模型。' : `没有这个可选的模型。是不是 ${meant}？`,
    mastersOnly: '只有主人可以选择其他模型。',
    thinks: (level) => `思考：${level === undefined ? '按配置' : levels[level]}`,
    noThinking: (model) => `${model} 没有这项设置，因此对它无效。`,
  },
  noAgent: '此聊天中没有这个名称的智能体。',
  noModel: '没有配置模型。',
  cooling: (seconds, why) => `冷却中，还有 ${seconds} 秒（${why}）`,
  state,
  health: {
    line: (name, how, reason) => `${name}：${how}${reason ? `（${reason}）` : ''}`,
    model: (alias) => `模型 ${alias}`,
    noProviders: '模型：ai.providers 中没有配置',
    noModels: '模型：插件 ai 未启用，安装命令：npm install @mynah/plugin-ai',
    mcp: 'MCP',
    noMcp: '插件 mcp 未启用',
    jobs: (count, failing) => `作业：${count} 个${failing ? `，${failing} 个失败` : ''}`,
    noJobs: '作业：插件 cron 未启用',
    failed: '错误',
    database: '数据库',
    and: '；',
    stored: '会话已持久保存',
    inMemory: '会话仅保存在内存中',
    allRun: '所有插件运行正常',
  },
}

export const commandTextsFor = inLanguages<CommandTexts>({ en, 'zh-CN': zh })
