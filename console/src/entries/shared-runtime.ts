// Tells what was made by the shell's Preact from what an entry made with a copy of its own.
import { cloneElement, Component, createElement, isValidElement, options, type ComponentType, type VNode } from 'preact'

const sharedElements = new WeakSet<object>()

/** Begins to note the elements that the shared runtime makes; before any entry is loaded. */
export function trackElements(): void {
  const former = options.vnode
  options.vnode = (vnode) => {
    sharedElements.add(vnode)
    former?.(vnode)
  }
}

/** An element or component came from another copy of React or Preact. */
export class ForeignRuntimeError extends Error {
  override readonly name = 'OwnCopyError'
}

const isClass = (value: object): boolean =>
  typeof ((value as { prototype?: unknown }).prototype as { render?: unknown } | undefined)?.render === 'function'

/** Whether the shell can render `value`: a component, or an element of the shared runtime. */
export function isElement(value: unknown): value is ComponentType | VNode {
  if (typeof value === 'function') return !isClass(value) || value.prototype instanceof Component
  return typeof value === 'object' && value !== null && isValidElement(value) && sharedElements.has(value)
}

function assertSharedRuntime(output: unknown): void {
  if (Array.isArray(output)) output.forEach(assertSharedRuntime)
  else if (typeof output === 'object' && output !== null && !isElement(output))
    throw new ForeignRuntimeError('foreign element')
}

const guarded = new WeakMap<object, ComponentType>()

/**
 * What an entry gave, to be rendered. An element is mounted anew where `key` changes, as with the language: what is inside it
 * stays identical, and Preact leaves identical elements as they were.
 */
export function renderElement(element: ComponentType | VNode, key?: string): VNode {
  if (!isValidElement(element)) return createElement(guard(element), null)
  const copy = cloneElement(element, key === undefined ? {} : { key })
  if (typeof copy.type === 'function') copy.type = guard(copy.type as ComponentType)
  return copy
}

/** The component, failing loudly where it returns what the shell would silently leave out. */
function guard(component: ComponentType): ComponentType {
  if (isClass(component)) return component
  const known = guarded.get(component)
  if (known) return known
  const call = component as (this: unknown, props: object, context?: unknown) => VNode | null
  // Preact calls function components on an instance, which memo() of compat relies on.
  const wrapped = function EntryRoot(this: unknown, props: object, context?: unknown) {
    const output = call.call(this, props, context)
    assertSharedRuntime(output)
    return output
  } as ComponentType
  guarded.set(component, wrapped)
  return wrapped
}

/**
 * Whether a failure is that of hooks which belong to another copy: those find no component to work for, and say so in the
 * name of the hook or of the list of hooks that they looked for.
 */
export function isForeignRuntime(error: Error): boolean {
  return (
    error instanceof ForeignRuntimeError ||
    /\b__H\b|\b__hooks\b|Invalid hook call|['".]use[A-Z]\w+\b/.test(error.message)
  )
}
