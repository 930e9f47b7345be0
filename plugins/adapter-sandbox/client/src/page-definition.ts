// The page of the sandbox: announced by the manifest, and registered by the module.
export const pageDefinition = {
  path: '/sandbox',
  name: { en: 'Sandbox', 'zh-CN': '沙盒' },
  icon: 'sessions',
  meta: { group: 'operate', order: 70, fullWidth: true },
} as const
