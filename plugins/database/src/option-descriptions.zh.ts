/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'database.type': '数据库系统',
  'database.file': 'SQLite 的文件，相对于配置文件；默认：数据目录中的 mynah.sqlite',
  'database.url': 'PostgreSQL 的地址；类型为 postgres 时必填',
  'database.connections': '主机可以打开的 PostgreSQL 连接数；较少时，读取互相等待',
  'database.consoleWrites': '控制台可以更改的表：第三方插件的表，或全部',
}
