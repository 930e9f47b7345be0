import { inLanguages, type Locale } from '@mynah/plugin-chat/api'
import { isModelError } from '@mynah/plugin-ai/api'

const en = {
  nothing: 'I have no answer to that.',
  failed: (why: string) => `I could not answer: ${why}`,
  slow: 'The model takes too long to answer. Please try again later.',
  long: 'This took too long and was stopped.',
  stopped: 'Stopped.',
  waiting: '… The model is busy. I keep trying.',
  waitingForServer: '… The model cannot be reached. I keep trying.',
  noted: 'Noted. I go on with it as soon as the open request is answered.',
  /** Notes below an answer that is not whole. */
  cut: {
    interrupted: '(The answer breaks off here: the connection to the model was lost.)',
    length: '(The answer ends here: it has reached the length limit of the model.)',
    refusal: '(The answer ends here: the model refuses to go on.)',
  },
  /** The note below an answer, when the chosen model cannot be used any more. */
  lostModel: (model: string) => `(${model} can no longer be used here; the model of the agent answers again.)`,
  blindModel: (model: string) => `(${model} takes no pictures or files, and has answered without seeing yours.)`,
  interrupted: 'The host was restarted while I was answering, and I could not go on. Please ask again.',
  overflow: 'This conversation has become too long for the model. Use /reset to start a new one.',
  overflowForUser: 'This conversation has become too long for the model. My owner can start a new one with /reset.',
  rounds: (done: string) =>
    `I have used up my rounds of tools before I was done. So far: ${done}. Say "go on" and I continue from there.`,
  busy: 'the model is busy',
  unavailable: 'the model cannot be reached',
  key: 'the model refuses the host’s key',
  credit: 'the account of the model has no credit left',
  budget: 'the budget of today is used up',
  refused: 'the model refuses to answer this',
  none: 'no model is configured',
  missing: 'the configured model does not exist',
  unknown: 'something went wrong',
  wait: (when: string) => `That was a lot. Please ask again after ${when}.`,
  noSession: 'There is no conversation here yet.',
  /** Failures that only the owner can fix. */
  provider: {
    auth: 'refuses the key',
    billing: 'says that the account has no credit left',
    'not-found': 'no longer exists',
    'not-installed': 'cannot be used: the package of its family is missing',
  },
  others: (model: string, why: string) =>
    `${model} ${why}. Other models are used in its place, if there are any. /models shows more.`,
  budgetUsed: (used: number, allowed: number, limit: string, until: string) =>
    `The budget of today is used up: ${used} of ${allowed} (ai.budget.${limit}). No model is used before ${until}.`,
  over: 'This question is no longer open, or is for another person.',
  /** By what a turn waits for. */
  waits: {
    approval: 'An earlier request here still waits for the approval of the owner.',
    question: 'An earlier request here still waits for an answer to its question.',
  },
  pairing: 'I have asked my owner whether I may talk to you.',
  paired: 'My owner has let you in: you can talk to me now.',
}
const zh: typeof en = {
  nothing: '我没有可以回答的内容。',
  failed: (why) => `无法回答：${why}`,
  slow: '模型迟迟没有开始回答，请稍后再试。',
  long: '用时过长，已停止。',
  stopped: '已停止。',
  waiting: '… 模型繁忙，正在重试。',
  waitingForServer: '… 无法连接模型，正在重试。',
  noted: '已记下。待处理的请求有答复后我会继续。',
  cut: {
    interrupted: '（回答在此中断：与模型的连接丢失。）',
    length: '（回答在此结束：已达到模型的长度上限。）',
    refusal: '（回答在此结束：模型拒绝继续。）',
  },
  lostModel: (model) => `（这里不能再使用 ${model}，改由智能体自己的模型回答。）`,
  blindModel: (model) => `（${model} 不接受图片或文件，没有看到你发的内容就回答了。）`,
  interrupted: '回答时主机重启了，无法继续。请再问一次。',
  overflow: '这段对话对模型来说太长了。用 /reset 重新开始。',
  overflowForUser: '这段对话对模型来说太长了。我的主人可以用 /reset 重新开始。',
  rounds: (done) => `工具调用的轮数已用完，事情还没有做完。目前已做：${done}。说“继续”，我就接着做。`,
  busy: '模型繁忙',
  unavailable: '无法连接模型',
  key: '模型拒绝了主机的密钥',
  credit: '模型的账户余额不足',
  budget: '今天的预算已用完',
  refused: '模型拒绝回答',
  none: '没有配置模型',
  missing: '所配置的模型不存在',
  unknown: '出了点问题',
  wait: (when) => `请求太多，请在 ${when} 之后再问。`,
  noSession: '这里还没有对话。',
  provider: {
    auth: '拒绝了密钥',
    billing: '账户余额不足',
    'not-found': '已不存在',
    'not-installed': '无法使用：缺少其所属系列的软件包',
  },
  others: (model, why) => `${model} ${why}。将改用其他可用的模型；详情见 /models。`,
  budgetUsed: (used, allowed, limit, until) =>
    `今天的预算已用完：${allowed} 中已用 ${used}（ai.budget.${limit}）。${until} 之前不会再询问模型。`,
  over: '这个问题已经结束，或者问的是别人。',
  waits: {
    approval: '这里较早的请求仍在等待主人批准。',
    question: '这里较早的请求仍在等待对其提问的回答。',
  },
  pairing: '我已询问我的主人能否与你交谈。',
  paired: '我的主人同意了：现在可以和我交谈。',
}
export const textsFor = inLanguages({ en, 'zh-CN': zh })

/** Returns what a model is waited for after a failure, or after none. */
export function explainWait(reason: unknown, locale: Locale | undefined): string {
  const texts = textsFor(locale)
  const isGone = isModelError(reason) && (reason.class === 'network' || reason.class === 'timeout')
  return isGone ? texts.waitingForServer : texts.waiting
}

/** Returns the cause of a failure in plain words. */
export function explainFailure(error: unknown, locale: Locale | undefined): string {
  const texts = textsFor(locale)
  if (!isModelError(error)) return texts.unknown
  switch (error.class) {
    case 'rate-limit':
    case 'overloaded':
      return texts.busy
    case 'server':
    case 'network':
    case 'timeout':
      return texts.unavailable
    case 'auth':
      return texts.key
    case 'billing':
      return texts.credit
    case 'budget':
      return texts.budget
    case 'refusal':
      return texts.refused
    case 'not-found':
    case 'not-allowed':
      return texts.missing
    case 'unconfigured':
    case 'not-installed':
      return texts.none
    default:
      return texts.unknown
  }
}
