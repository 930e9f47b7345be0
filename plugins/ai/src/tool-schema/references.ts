// Finds the schemas that `$ref` refers to, as the drafts and the generators of schemas write it. Nothing outside of the
// document is found.
import { isRecord } from '@mynah/contract'

/** Longer names and references are not looked up, since each is read several times. */
const MAX_CHARS = 1_000
const HERE = 'schema://tool/'

type Node = Readonly<Record<string, unknown>>

/** A schema with a name of its own, which its references start from. */
interface Resource {
  readonly root: Node
  readonly address: string
  readonly anchors: Map<string, Node>
}

/** The schemas of a document by the references to them. */
export class References {
  readonly #document: Node
  readonly #resources = new Map<string, Resource>()
  readonly #resourceOf = new Map<Node, Resource>()
  readonly #parents = new Map<Node, Node>()

  constructor(document: Node) {
    this.#document = document
    this.#collect(document, { root: document, address: HERE, anchors: new Map() })
  }

  #collect(node: Node, around: Resource): void {
    let resource = around
    const name = node['$id'] ?? node['id']
    if (isShort(name) && !name.startsWith('#')) {
      resource = { root: node, address: addressOf(name, around.address), anchors: new Map() }
      for (const key of [resource.address, name]) if (!this.#resources.has(key)) this.#resources.set(key, resource)
    }
    this.#resourceOf.set(node, resource)
    const anchors = [node['$anchor'], node['$dynamicAnchor'], isShort(name) && name.startsWith('#') && name.slice(1)]
    for (const anchor of anchors) if (isShort(anchor)) resource.anchors.set(anchor, node)
    for (const inner of Object.values(node))
      for (const child of Array.isArray(inner) ? (inner as unknown[]) : [inner])
        if (isRecord(child)) {
          this.#parents.set(child, node)
          this.#collect(child, resource)
        }
  }

  /** Returns the schema that a reference of `node` means. */
  find(reference: string, node: Node): Node | boolean | undefined {
    if (!isShort(reference)) return undefined
    const mark = reference.indexOf('#')
    const address = mark < 0 ? reference : reference.slice(0, mark)
    const fragment = mark < 0 ? '' : reference.slice(mark + 1)
    const own = this.#resourceOf.get(node)
    const resource = address
      ? (this.#resources.get(addressOf(address, own?.address)) ?? this.#resources.get(address))
      : own
    const found = resource && inResource(resource, fragment)
    if (found !== undefined) return found
    // Schemas are often put into others with the references that they had alone.
    if (!address)
      for (let around: Node | undefined = node; around; around = this.#parents.get(around)) {
        const target = fragment.startsWith('/') ? atPointer(around, fragment) : undefined
        if (target !== undefined) return target
      }
    return this.#named(address || fragment)
  }

  /** Returns the definition of a name. Converters move the definitions without the references to them. */
  #named(written: string): Node | boolean | undefined {
    const name = /^(?:\/(?:(?:\$defs|definitions|schemas|components\/schemas)\/)?)?([^/:]+)$/.exec(written)?.[1]
    if (name === undefined) return undefined
    for (const place of ['/$defs/', '/definitions/', '/components/schemas/']) {
      const found = atPointer(this.#document, `${place}${name}`)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CHARS

function inResource({ root, anchors }: Resource, fragment: string): Node | boolean | undefined {
  if (fragment === '' || fragment === '/') return root
  return fragment.startsWith('/') ? atPointer(root, fragment) : anchors.get(fragment)
}

/** Returns an absolute address without the fragment. */
function addressOf(name: string, base = HERE): string {
  return URL.canParse(name, base) ? new URL(name, base).href.replace(/#.*$/s, '') : name.replace(/#.*$/s, '')
}

function atPointer(node: Node, pointer: string): Node | boolean | undefined {
  let at: unknown = node
  for (const part of pointer.split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Node)[key]
  }
  return isRecord(at) || typeof at === 'boolean' ? at : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign that is meant as such.
    return part
  }
}
