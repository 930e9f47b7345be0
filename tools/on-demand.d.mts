export declare function onDemand(set: string): Promise<string>
export declare function resolveOnDemand(set: string, module: string): Promise<string>
