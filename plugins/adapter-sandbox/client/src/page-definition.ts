// The manifest announces this page, and the module registers it.
export const pageDefinition = {
  path: '/sandbox',
  name: { en: 'Sandbox', 'zh-CN': '沙盒' },
  icon: 'sessions',
  meta: { group: 'operate', order: 70, fullWidth: true },
} as const
