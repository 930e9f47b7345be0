// The model authoring API, where its package is installed: models, the agent loop, tools.
import type * as Api from '@mynah/plugin-ai/api'
import { optional } from './optional.js'

const api = await optional('@mynah/plugin-ai') as unknown as typeof Api

export const { agentLoop, budgetExceeded, defineTool, isModelError, ModelError, ModelRegistry, Models, modelStateChanged, textOf, toolCallsOf, toolResult, tools, usageReported, Web, WebError } = api

export type ModelError = Api.ModelError
export type ModelRegistry = Api.ModelRegistry
export type Models = Api.Models
export type Web = Api.Web
export type WebError = Api.WebError
export type {
  AssistantMessage, Attribution, BudgetExceeded, CallOptions, CallSurroundings, Candidate, Capabilities, FailureClass, FamilyName, FilePart, Finish, FinishReason, ImagePart, ImageRequest, ImageResult,
  LoopEnd, LoopEndReason, LoopEvent, LoopOptions, MadeImage, MediaSource, MessageQueue, ModelChoice, ModelMessage, ModelPart, ModelRequest, ModelStateChange, ModelView, Origin, PreExecMessage, PreExecution,
  PreparedStep, ProviderConfig, ProviderMetadata, ProviderView, QueueMode, ReasoningPart, RegisteredModel, RegisteredProvider, RegistryOptions, SpeechRequest, SpeechResult, StreamOptions, SystemMessage,
  TextPart, Tool, ToolCall, ToolCallPart, ToolContext, ToolDeclaration, ToolDefinition, ToolEffect, ToolMessage, ToolOutcome, ToolOutput, ToolResult, ToolResultPart, ToolSet, TranscriptionRequest,
  TranscriptionResult, Usage, UsageReport, UserMessage, WebFailure, WebRequest, WebResponse,
} from '@mynah/plugin-ai/api'
