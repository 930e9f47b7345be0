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
  endpoints: 'M5 3v4M11 3v4M3.5 7h9v2a4.5 4.5 0 0 1-9 0zM8 13.5V15',
  inbox: 'M2.5 9l2-6h7l2 6v4h-11zM2.5 9H6l1 2h2l1-2h3.5',
  logs: 'M3 3.5h10M3 6.5h7M3 9.5h10M3 12.5h5',
  traces: 'M2.5 3.5h5M5 8h6M8 12.5h5.5',
  cron: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5',
  config:
    'M2 5h7M12 5h2M2 11h2M7 11h7M10.5 5m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M5.5 11m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
  files: 'M2.5 3h4l1.5 2h5.5v8h-11z',
  env: 'M5.5 3L3 8l2.5 5M10.5 3L13 8l-2.5 5',
  database:
    'M3 4c0-1 2.2-1.8 5-1.8S13 3 13 4v8c0 1-2.2 1.8-5 1.8S3 13 3 12zM3 4c0 1 2.2 1.8 5 1.8S13 5 13 4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8',
  marketplace: 'M2.5 6l1-3.5h9l1 3.5M3 6v7.5h10V6M2.5 6h11M6.5 13.5v-4h3v4',
  sessions: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  approvals: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8l1.6 1.6L10.5 6.5',
  models: 'M4 4h8v8H4zM6.5 1.8V4M9.5 1.8V4M6.5 12v2.2M9.5 12v2.2M1.8 6.5H4M1.8 9.5H4M12 6.5h2.2M12 9.5h2.2',
  knowledge: 'M8 4.5Q6 3 2.5 3v9.5q3.5 0 5.5 1.5 2-1.5 5.5-1.5V3Q10 3 8 4.5V14',
  introspection: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14M5 7h4',
  jobs: 'M2.5 5.5h11v7.5h-11zM6 5.5V3h4v2.5M2.5 9h11',
  plus: 'M8 3v10M3 8h10',
  back: 'M9.5 4l-4 4 4 4',
  more: 'M2.6 8h.8M7.6 8h.8M12.6 8h.8',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
} as const

export type IconName = keyof typeof paths

/** Names that entries may use too. */
export const iconNames = Object.keys(paths) as readonly IconName[]

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
