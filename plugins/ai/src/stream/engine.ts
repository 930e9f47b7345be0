// The parts that an attempt needs, loaded with the first one.
export { callOptions } from '../providers/call-options.js'
export { loadMedia } from '../providers/load-media.js'
export { sendsMedia, toPrompt } from '../providers/prompt.js'
export { readAnswer } from './answer.js'
export { asStream } from './whole-answer.js'
