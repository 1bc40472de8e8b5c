import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { memo } from '../../src/cache/namespace.ts';
import { compiledProgram } from '../support/compiled-program.ts';
import type { TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What came of a call: `content` of any shape for tests to look into. */
export interface ToolResult {
  readonly content: ReturnType<typeof JSON.parse>;
  readonly text: string;
  readonly failure: ReturnType<typeof JSON.parse>;
}

/** An assistant that knows the tools and so holds every answer against its schema. */
export interface Assistant {
  readonly tools: Awaited<ReturnType<Client['listTools']>>['tools'];
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  close(): Promise<void>;
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** An assistant that asks a Dwell over HTTP. */
export async function assistantOf(
  dwell: TestDwell,
  user: string,
  rights: { readonly admin?: boolean } = {},
): Promise<Assistant> {
  const headers = await dwell.headerOf(user, rights);
  const url = new URL(`${dwell.url}/mcp`);
  return connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
}

/** An assistant that starts `dwell mcp` itself; files are in the database there, and copied for it. */
export async function assistantWithProcess(...args: readonly string[]): Promise<Assistant> {
  return connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'dwell', 'mcp', ...args],
      cwd: temporaryFolder(),
      env: {
        ...compiledProgram,
        ...{ DATA_DIR: temporaryFolder(), TIME_ZONE: 'UTC', LOG_LEVEL: 'silent', BLOBS: 'table' },
      },
      stderr: 'pipe',
    }),
  );
}

/** The schemas of the tools, each compiled once for all assistants. */
const ajv = new AjvJsonSchemaValidator();
const validatorOf = memo((schema: string) => ajv.getValidator(JSON.parse(schema)), 100);

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Assistant> {
  const client = new Client(
    { name: 'test', version: '1' },
    { jsonSchemaValidator: { getValidator: (schema) => validatorOf(JSON.stringify(schema)) as never } },
  );
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const { tools } = await client.listTools();
  return {
    tools,
    async call(name, args = {}) {
      // It fails where an answer does not fit its schema.
      const { content, structuredContent, isError, _meta } = await client.callTool({ name, arguments: args });
      const [first] = content as readonly { readonly text: string }[];
      const failure = isError ? _meta?.['dwell/failure'] : null;
      return { content: structuredContent, text: first?.text ?? '', failure };
    },
    close: () => client.close(),
  };
}
