// What the agent itself says to people, in their language.
import type { Locale } from '@mynah/plugin-chat/api'
import { isModelError } from '@mynah/plugin-ai/api'

const en = {
  nothing: 'I have no answer to that.',
  failed: (why: string) => `I could not answer: ${why}`,
  slow: 'The model takes too long to begin; please try again later.',
  long: 'This took too long and was stopped.',
  stopped: 'Stopped.',
  interrupted: 'The host was restarted while I was answering, and I could not go on. Please ask again.',
  overflow: 'This conversation has become too long for the model. /reset begins anew.',
  busy: 'the model is busy', away: 'the model cannot be reached', key: 'the model refuses the host’s key', budget: 'the budget of today is used up',
  refused: 'the model refuses to answer this', none: 'no model is configured', missing: 'the configured model is not there', unknown: 'something went wrong',
  wait: (when: string) => `That was a lot. Ask again after ${when}.`,
  ownerAsked: 'The owner has been asked.',
  noSession: 'There is no conversation here yet.',
  over: 'This question is not open any more, or was asked of somebody else.',
}
const zh: typeof en = {
  nothing: '我没有可以回答的内容。',
  failed: (why) => `无法回答：${why}`,
  slow: '模型迟迟没有开始回答，请稍后再试。',
  long: '用时过长，已停止。',
  stopped: '已停止。',
  interrupted: '回答时主机重启了，无法继续。请再问一次。',
  overflow: '这段对话对模型来说太长了。用 /reset 重新开始。',
  busy: '模型繁忙', away: '无法连接模型', key: '模型拒绝了主机的密钥', budget: '今天的预算已用完', refused: '模型拒绝回答', none: '没有配置模型', missing: '所配置的模型不存在', unknown: '出了点问题',
  wait: (when) => `请求太多，请在 ${when} 之后再问。`,
  ownerAsked: '已经询问了主人。',
  noSession: '这里还没有对话。',
  over: '这个问题已经结束，或者问的是别人。',
}
export const textsFor = (locale: Locale | undefined): typeof en => (locale === 'zh-CN' ? zh : en)

/** Why a turn failed, in plain words. */
export function plainly(error: unknown, locale: Locale | undefined): string {
  const texts = textsFor(locale)
  if (!isModelError(error)) return texts.unknown
  switch (error.class) {
    case 'rate-limit': case 'overloaded': return texts.busy
    case 'server': case 'network': case 'timeout': return texts.away
    case 'auth': case 'billing': return texts.key
    case 'budget': return texts.budget
    case 'refusal': return texts.refused
    case 'not-found': case 'not-allowed': return texts.missing
    case 'unconfigured': case 'not-installed': return texts.none
    default: return texts.unknown
  }
}
