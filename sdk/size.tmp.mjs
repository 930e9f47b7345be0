import {rolldown} from 'rolldown'; import {gzipSync,brotliCompressSync} from 'node:zlib'; import {readdirSync} from 'node:fs'
const m=async(input)=>{const b=await rolldown({input,platform:'browser',external:(id)=>input!=='/work/main/sdk/dist/index.js'&&id!==input}); const {output}=await b.generate({format:'esm',minify:true}); return [output[0].code.length, gzipSync(output[0].code,{level:9}).length,output[0].code]}
for (const f of readdirSync('/work/main/sdk/dist').filter(f=>f.endsWith('.js'))) console.log(f, (await m('/work/main/sdk/dist/'+f)).slice(0,2))
const r=await m('/work/main/sdk/dist/index.js'); console.log(r.slice(0,2), brotliCompressSync(r[2]).length); console.log(r[2].slice(0,3000))
