// What other plugins may know of chat: content, messages, adapters, commands, points, hooks and the message store port.
export * from './api/segments.js'
export * from './api/message.js'
export * from './api/adapter.js'
export * from './api/command.js'
export * from './api/store.js'
export * from './api/points.js'
export { refuseLocalFiles } from './api/local-file.js'
export { getOutboundReplyStore } from './api/reply-context.js'
