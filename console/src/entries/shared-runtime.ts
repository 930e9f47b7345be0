import { cloneElement, Component, createElement, isValidElement, options, type ComponentType, type VNode } from 'preact'

const sharedElements = new WeakSet<object>()

/** Starts tracking elements of the shared runtime. Call it before any entry is loaded. */
export function trackElements(): void {
  const former = options.vnode
  options.vnode = (vnode) => {
    sharedElements.add(vnode)
    former?.(vnode)
  }
}

/** Thrown for an element or component of another copy of React or Preact. */
class ForeignRuntimeError extends Error {
  override readonly name = 'OwnCopyError'
}

const isClass = (value: object): boolean =>
  typeof ((value as { prototype?: unknown }).prototype as { render?: unknown } | undefined)?.render === 'function'

/** Returns whether the shell can render `value`: a component, or an element of the shared runtime. */
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
 * Renders the element of an entry. A changed `key`, as with the language, mounts it again: otherwise its children
 * are identical, and Preact skips identical elements.
 */
export function renderElement(element: ComponentType | VNode, key?: string): VNode {
  if (!isValidElement(element)) return createElement(guard(element), null)
  const copy = cloneElement(element, key === undefined ? {} : { key })
  if (typeof copy.type === 'function') copy.type = guard(copy.type as ComponentType)
  return copy
}

/** Wraps a component so that output which the shell would silently drop throws. */
function guard(component: ComponentType): ComponentType {
  if (isClass(component)) return component
  const known = guarded.get(component)
  if (known) return known
  const call = component as (this: unknown, props: object, context?: unknown) => VNode | null
  // Preact calls function components with an instance as `this`, which memo() of compat needs.
  const wrapped = function EntryRoot(this: unknown, props: object, context?: unknown) {
    const output = call.call(this, props, context)
    assertSharedRuntime(output)
    return output
  } as ComponentType
  guarded.set(component, wrapped)
  return wrapped
}

/**
 * Whether a failure comes from hooks of another copy. Those find no current component and name the
 * hook or the list of hooks in their message.
 */
export function isForeignRuntime(error: Error): boolean {
  return (
    error instanceof ForeignRuntimeError ||
    /\b__H\b|\b__hooks\b|Invalid hook call|['".]use[A-Z]\w+\b/.test(error.message)
  )
}
