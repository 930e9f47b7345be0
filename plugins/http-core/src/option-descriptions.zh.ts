/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'http.host': '监听的地址；使用环回以外的地址须有强令牌',
  'http.port': '监听的端口；0 表示任选一个空闲端口',
  'http.base': '管理 API 的前缀；以 / 开头且不以 / 结尾；不能是 /、/pub、/entries 或 /@dev',
  'http.token': '完整权限的 Bearer 令牌；默认：HTTP_TOKEN，否则使用生成的令牌',
  'http.tokens[].token': '令牌',
  'http.tokens[].scope': 'demo 可以查看并使用沙盒；monitor 可以读取健康状况与指标',
  'http.tokens[].name': '日志中持有者的名称',
  'http.tokens': '更多令牌',
  'http.corsOrigins': '其页面可以调用此主机的确切来源',
  'http.hosts': '对环回地址的请求可以使用的更多主机名',
  'http.trustedProxies': '其 X-Forwarded-For 受信任的代理的地址或网段',
  'http.bodyLimit': '请求正文的最大字节数',
  'http.rateLimit': '每个完整权限令牌每分钟的请求数；本机上的调用不计入',
  'http.serveClientHost': '主机不提供用户界面',
  http: 'HTTP 服务器及其访问',
}
