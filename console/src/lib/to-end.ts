// A box that shows its newest line.

/**
 * Scrolls to the end in the next frame, before it is painted: measuring at once would lay out in the same task all that has just been made.
 * Gives what takes it back.
 */
export function toEnd(box: { readonly current: HTMLElement | null }): () => void {
  const frame = requestAnimationFrame(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight })
  return () => cancelAnimationFrame(frame)
}
