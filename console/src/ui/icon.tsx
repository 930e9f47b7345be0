// The console's own icons, drawn on 16 by 16 with strokes.

const paths = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14',
  dashboard: 'M2 13V9M6 13V3M10 13V7M14 13V5',
  plugins: 'M2.5 2.5H7V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM11.25 9v4.5M9 11.25h4.5',
  display: 'M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10zM8 3v10',
  host: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  collapse: 'M9.5 4l-4 4 4 4',
  expand: 'M6.5 4l4 4-4 4',
  extension: 'M8 2l5 3v6l-5 3-5-3V5zM3 5l5 3 5-3M8 8v6',
  more: 'M2.6 8h.8M7.6 8h.8M12.6 8h.8',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
} as const

export type IconName = keyof typeof paths

/** Names that entries may use too. */
export const iconNames = Object.keys(paths) as readonly IconName[]

export function Icon({ name }: { readonly name: IconName }) {
  return <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={paths[name]} /></svg>
}
