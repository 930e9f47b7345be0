import { stat, realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '@mynah/contract'
import { defineTool, readToolSchema, UnusableSchema, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { frontMatter, listField, Malformed, textField, type Parsed } from './front-matter.js'

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** Keywords that leave the type of a parameter open. */
const ABOUT: ReadonlySet<string> = new Set(['description', 'required', 'enum', 'default', 'title', 'examples'])
const MAX_RESULT = 50_000

type Handler = (input: Record<string, unknown>, call: ToolCall) => unknown

/**
 * Parses a tool file.
 *
 * @param root the folder that must contain the handler
 * @throws Malformed
 */
export async function parseTool(text: string, path: string, root: string): Promise<Tool> {
  const { fields, body } = frontMatter(text)
  const name = textField(fields, 'name', 64)
  if (!NAME.test(name)) throw new Malformed('name: letters, digits, "-" and "_", at most 64')
  const description = textField(fields, 'description', 2_000)
  const parameters = schemaOf(fields.parameters)
  const roles = listField(fields, 'roles')
  const keywords = listField(fields, 'keywords')
  const handler =
    fields.handler === undefined ? undefined : await handlerOf(textField(fields, 'handler', 500), path, root)
  if (!handler && body === '') throw new Malformed('a template below the header or a handler is needed')
  return defineTool({
    name,
    description,
    parameters,
    ...(keywords ? { keywords } : {}),
    ...(roles?.length && !roles.includes('user') ? { requiredAnyRole: roles } : {}),
    // A template has no effects. The effects of a handler are unknown.
    ...(handler ? {} : { effect: 'read' as const }),
    async run(input: Record<string, unknown>, call: ToolCall) {
      return handler ? (await handler())(input, call) : fillTemplate(body, input)
    },
  })
}

/** Reads the parameters by name, or a whole JSON Schema of an object. */
function schemaOf(declared: unknown): object {
  const isWhole = isRecord(declared) && typeof declared['type'] === 'string'
  try {
    if (isWhole) return readToolSchema(declared)
    const properties = isRecord(declared)
      ? Object.fromEntries(Object.entries(declared).map(([name, parameter]) => [name, parameterOf(parameter)]))
      : declared
    return readToolSchema({ type: 'object', properties })
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error
    throw new Malformed(isWhole ? `parameters: ${error.message}` : error.message.replace(/^properties/, 'parameters'))
  }
}

/** Returns the schema of a parameter, which is a text unless its declaration says something else. */
function parameterOf(declaration: unknown): unknown {
  const declared = declaration ?? {}
  const isText = isRecord(declared) && Object.keys(declared).every((key) => ABOUT.has(key))
  return isText ? { type: 'string', ...declared } : declared
}

/** Fills the parameters of a template with values. Placeholders inside values are not filled. */
function fillTemplate(template: string, input: Record<string, unknown>): string {
  return template
    .replace(/\{\{ {0,4}([\w-]{1,64}) {0,4}\}\}/g, (_whole, name: string) => {
      const value = Object.hasOwn(input, name) ? input[name] : undefined
      if (value === undefined) return ''
      return typeof value === 'string' ? value : JSON.stringify(value)
    })
    .slice(0, MAX_RESULT)
}

/** Returns a loader of the handler, which loads it again when its file has changed. */
async function handlerOf(name: Parsed['body'], path: string, root: string): Promise<() => Promise<Handler>> {
  const file = resolve(dirname(path), name)
  const real = await realpath(file).catch(() => {
    throw new Malformed(`handler: there is no ${name}`)
  })
  if (!real.startsWith((await realpath(root)) + sep))
    throw new Malformed('handler: it must be in the folder of the tools')
  return async () => {
    const { mtimeMs } = await stat(real)
    const loaded = (await import(`${pathToFileURL(real).href}?v=${mtimeMs}`)) as { readonly default?: unknown }
    if (typeof loaded.default !== 'function')
      throw new Error(`the handler ${name} has no function as its default export`)
    return loaded.default as Handler
  }
}
