// Where the page stands in the console: told beforehand by the manifest, and again when the module registers.
export const place = {
  path: '/sandbox',
  name: { en: 'Sandbox', 'zh-CN': '沙盒' },
  icon: 'sessions',
  meta: { group: 'operate', order: 70, fullWidth: true },
} as const
