// Triggers, turns, sessions, compaction, media, answers and hooks.
import type { Sentences } from './sentences.js'

export const CONVERSATION: Sentences = {
  'plugins/agent/src/test/specification.test.ts': {
    'in a group only a mention is answered': ['groups need a mention, and prefixes have no effect there'],
    'messages that were not answered in a group are in the request of the next mention': [
      'other messages of a group are heard, and are there at the next mention',
    ],
    'a private message is answered': ['private messages are answered'],
    'the prefix ai: is answered in private where other messages are not': ['prefixes hold in private chats'],
    'messages with an ignored prefix are not answered': ['ignorePrefixes are excluded'],
    '/reset begins a new conversation, and chat_history still finds the earlier one': [
      '/reset archives the epoch, and the next message begins another one',
      'the transcript stays after /reset',
      'chat_history reads all epochs, requests only the current one',
    ],
    'chat_history has 10 rows by default': ['limit of chat_history is 10'],
    '/compact is for master and trusted, and keeps the conversation': ['/compact needs master or trusted'],
    'tools that can run before the turn have their results in the first request': [
      'tools that can run before have their results in the request',
    ],
  },
  'plugins/agent/src/test/specification-turns.test.ts': {
    'messages that mention the bot run at the same time, each as a turn of its own': ['turns run in parallel'],
    'a message of a master goes to the latest running turn of the session': ['a master steers the latest active turn'],
    'a command is not answered by the agent as well': ['exclusive is the mode of the dispatcher by default'],
    'there are at most 15 rounds of tools by default, or maxIterations': ['15 rounds of tools are the default'],
    'a turn ends after two minutes by default': ['ai.agent.timeout bounds a turn'],
    'tools that run before the first request have 15 s by default': ['preExecTimeout bounds them'],
    'a stream hands over each piece and the text so far': ['a stream calls back with the piece and the text so far'],
    'an address in an answer becomes a medium of its kind': ['an address of a picture becomes a picture'],
    'above the threshold the conversation is summarised, and each summary continues the one before': [
      'summaries are a chain',
    ],
    'chat_history is offered when a message asks about what was before': [
      'words of the past bring chat_history into a request',
    ],
    'chat_history finds words of this chat only': ['a keyword is searched in the platform, account and scene'],
    'plugins change what is sent, in the order in which they came': ['onTransformContext is a chain'],
    'sections of the prompt come in their order, without empty ones': ['sections of the prompt have an order'],
    'received and sent messages, calls and new sessions are announced': [
      'hooks tell of received messages with user and content',
      'hooks tell of sent messages, tool calls and new epochs',
    ],
  },
  'plugins/agent/src/test/specification-wire.test.ts': {
    'addresses of pictures, sound and videos become media': ['addresses of sound and videos become media'],
  },
  'plugins/agent/src/trigger/decide.test.ts': {
    'answers prefixes in private chats only, removes them, and ignores other messages': ['a prefix is not in the text'],
    'ignores prefixes behind a mention as well': ['a mention before an ignored prefix changes nothing'],
    'skips segments of unknown types': ['segments of unknown types are skipped'],
    'recognises masters and trusted users, on all endpoints or on one': [
      'masters and trusted are user ids, or of one account',
    ],
    'lets the answered user of a group inspect the turn, as do masters': [
      'who started a turn may ask for its state, cost and context',
    ],
  },
  'plugins/agent/src/turn/turns.test.ts': {
    'answers a private message and continues the conversation with the next one': [
      'the epoch’s messages are in a request',
    ],
    'asks the user and goes on with the answer, a choice by its number': [
      'the next message of who was asked is the answer, without a mention',
    ],
    'ignore commands, and messages of disabled triggers': ['ai.trigger can be disabled'],
    'notify hooks, those of modules included': ['registerAIHook works at the top of a module'],
    'keep a user from speaking in the name of another person': ['a text cannot end the element of its speaker'],
    'goes on with a smaller conversation when it overflows, at every stage': [
      'after an overflow the turn is asked again',
    ],
  },
  'plugins/agent/src/turn/overflow.test.ts': {
    'in the middle of a turn removes results of tools, which do not run again': ['old results become placeholders'],
    'at the first step leads to a summary': ['an overflow is compacted'],
    'that stays after the summary is asked once more, and never with the same bytes': [
      'an overflow is tried again once',
    ],
  },
  'plugins/agent/src/turn/open-turns.test.ts': {
    'keeps a question waiting over any number of restarts, and takes its answer': [
      'waiting for people lasts over restarts',
    ],
    'counts a start after work was done, even where a question waited in between': [
      'a start counts where a step was done',
    ],
    'ends the turn of a job that was killed while its answer was delivered, and makes no ring': [
      'a job’s turn is closed once',
    ],
  },
  'plugins/agent/src/session/trees.test.ts': {
    'go on from an earlier message after a switch, and keep the branch that was left': [
      '/tree N goes on from that message of a user',
      'after a switch the next message is below the leaf',
    ],
    'take a summary of the left branch along on request': ['a switch may take a summary along'],
    'are steered by a master who quotes the message or the partial answer of another person': [
      'a master steers a turn of another person by a quote only',
    ],
    'answer late additions of a master in a separate message': [
      'after the last tool a message is a follow-up of the turn',
    ],
    'become a summary when there are many messages, and notify the hook and /compact': [
      'compactions are announced, with what they were about',
    ],
    'grow in one message where the platform can edit': ['a draft is edited, and stored once'],
    'end on /stop, with everything that they wait for': ['/stop ends the turns and what they wait for'],
    'report a silent model after its timeout': ['without a first part in time there is one line'],
    'answer plugins in a separate session, once for a key': ['Agent.ask has a session of its own'],
  },
  'plugins/agent/src/session/store.system.test.ts': {
    'opens one active session for a key, and a new one after an archive': ['a key has one active epoch'],
    'starts a path at the last summary, with the entries that it keeps': [
      'a context is read back along parents from the leaf',
    ],
    'finds idle sessions and prunes archived ones': ['archived epochs are deleted after some days'],
  },
  'plugins/agent/src/commands/commands.test.ts': {
    'shows the tree of a session and moves its leaf': ['the tree lists messages of users with index, id and preview'],
    'lists sessions, their entries, branches, turns and usage': [
      'agent:sessions, agent:session, agent:branches, agent:turns and agent:usage answer',
    ],
    'rejects an entry that does not exist': ['a leaf that does not exist is refused'],
    'lets the console answer a question and stop a turn': ['agent:answer and agent:stop act'],
    'reports the health of each part, with the reason of a failure': ['/health names reasons'],
    'reports the parts of a request, and the tokens of each server’s tools': ['/context tells tokens by section'],
    'returns its bindings and tools, also without servers': [
      'without a plugin for servers the list is empty, with a note',
    ],
    'names what sessions are about, and finds what was said in them': ['sessions have titles, and are found by words'],
  },
  'plugins/agent/src/features/hooks.test.ts': {
    'notify modules and plugins alike, with the fields of each hook': [
      'plugins may listen to hooks, which have their fields',
    ],
    'survive a failing handler, and stop when they are removed': ['registering a hook returns its undo'],
  },
  'plugins/agent/src/prompt/speakers.test.ts': {
    'marks owners and others by their roles, whatever they are called': [
      'speakers of a group have a role and an id of the host',
    ],
    'cannot be ended by ${JSON.stringify(text)}': ['no text ends the element'],
  },
  'plugins/agent/src/turn/inbound-media.system.test.ts': {
    'shows pictures from any source of bytes': ['a picture has url, file or src'],
    'shows videos to a model that takes them, by the type of their bytes, and names those that fail to load': [
      'a video is shown to models that take it',
    ],
    'names faces and videos, skips other elements, and loads at most eight media of a message': [
      'faces have a name, a description or an id',
      'other elements are skipped',
    ],
    'loads media by id from the platform, and names those that fail to load': ['a medium may be an id of the platform'],
    'stores documents for tools, and shows those that are pictures': ['inbound media are kept for tools'],
  },
  'plugins/agent/src/turn/documents.system.test.ts': {
    'are text with page marks for a person without a role, in a mark that they cannot end': [
      'documents become text for everybody',
    ],
    'are PDF for a model that takes it, with the text for others, and text alone after a trim': [
      'PDF is sent as it is to some models',
    ],
  },
  'plugins/agent/src/turn/collecting.test.ts': {
    'are one turn': ['messages of one sender within collectMs are one turn'],
    'keep an attachment waiting for its words': ['attachments wait for their words'],
  },
  'plugins/agent/src/turn/whole-answers.test.ts': {
    'ends with a note when the connection to the model is lost': ['a stream that broke ends with a note'],
    'stays when the turn is stopped, and the note follows (${stream})': ['words that were shown stay'],
  },
  'plugins/agent/src/turn/added-messages.test.ts': {
    'acknowledges the words of a master while an approval waits, and takes them in afterwards': [
      'a master’s words are acknowledged while an approval waits',
    ],
  },
  'plugins/ai/src/fallback/continuation.test.ts': {
    'is gone on with by the next model, which gets what is there': ['a broken answer is gone on with'],
    'asks a model to go on that has reached the limit of its output': [
      'an answer that ended by its length is gone on with',
    ],
  },
  'plugins/ai/src/fallback/waiting.test.ts': {
    'asks a single model again after ${what}, with longer pauses, until it answers': ['one provider is asked again'],
    'uses them in turn': ['apiKey may be a list'],
    'lifts a rest when the lists of models are refreshed': ['models:refresh lifts a rest'],
  },
  'plugins/ai/src/stream/think-reader.test.ts': {
    'has the reasoning in parts of its own, and none of it in its text': ['think elements are reasoning'],
  },
  'plugins/chat/src/inbound/receiver.test.ts': {
    'passes a message to middlewares by priority, the dispatcher, and message.receive': [
      'a message is received after middlewares and the dispatcher',
    ],
    'answers a command that the AI matches too with ${answers} for ${JSON.stringify(config)}': [
      'in exclusive mode a command is not given to the model',
      'in dual mode both are decided, in an order',
      'allowDualReply lets both answer',
    ],
    'post-processes its replies, and only these have a reply context': [
      'addOutboundPolish changes replies of the dispatcher',
      'a direct reply has no context of an inbound message',
    ],
  },
  'plugins/chat/src/outbound/transmitter.test.ts': {
    'turns markdown of a reply into media': ['both paths render by the same rules'],
    'render to plain text': ['elements render to plain text'],
    'render to Satori elements, escaped': ['elements render to Satori'],
    'sends media by path or as bytes, without revealing local paths': ['outboundMedia is file or base64'],
  },
  'plugins/chat/src/outbound/format-texts.test.ts': {
    'has entities on a platform that takes them': ['text of an answer is Markdown, rendered by the adapter'],
    'leaves texts of people and other segments as they are': ['users’ own texts stay'],
  },
  'plugins/inbox/src/test/outbound-messages.system.test.ts': {
    'stores a message before it is sent, and its receipt after': ['message.send is stored after the platform took it'],
  },
  'plugins/speech/src/transcribe.test.ts': {
    'is transcribed and stays in the conversation as text, ${database': ['transcribe turns sound into text'],
    'shows sound as a placeholder and warns once': ['without the plugin speech there is a placeholder and one warning'],
    'keep or name recordings without a transcript': ['mcp keeps recordings for tools, text-only names them'],
  },
  'test/src/picture-models.test.ts': {
    'goes to the agent for pictures, and to the next vision model if the first fails': [
      'candidates that see are tried in order',
    ],
    'is described as missing to a model without vision': ['a model without vision reads that there is a picture'],
  },
  'test/src/model-requests.system.test.ts': {
    'extend the previous request over turns and tools': [
      'what changes is in the last message, so that the prefix stays',
    ],
  },
  'plugins/agent/src/compaction/compactor.test.ts': {
    'summarises by the number of messages when compaction by tokens is disabled': [
      'ai.context and compaction are independent',
    ],
    'waits 1, 5 and 30 minutes after a summary that fails, and prepares it once': [
      'a failing summary waits longer each time',
    ],
  },
  'plugins/agent/src/access/verdict.test.ts': {
    'lets everybody in by default': ['ai.access is everyone by default'],
    'answers in the groups of the list': ['groups may be a list'],
    'takes each key of the endpoint before that of all': ['an endpoint overrides ai.access'],
  },
  'plugins/agent/src/access/access.test.ts': {
    'asks the owner about a stranger, and says one sentence, ${database': [
      'a stranger gets one sentence, and the owner is asked',
    ],
    'reminds the owner once, when the stranger writes again': ['the owner is reminded once'],
    'has at most ten open requests of an endpoint': ['an endpoint has at most ten requests'],
  },
}
