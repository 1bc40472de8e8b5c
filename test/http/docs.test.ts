import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { beforeAll, expect, test } from '#jest';
import type { TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();
let page: Awaited<ReturnType<TestDwell['get']>>;
beforeAll(async () => {
  page = await dwell.get('/docs', {}, {});
});

const script = () => page.text.split('<script type="module">')[1]?.split('</script>')[0] ?? '';

test('the page needs no token, loads from this server alone and runs only its own scripts', () => {
  expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  const hash = createHash('sha256').update(script()).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/script-src[^;]*unsafe|http|\*/);
  expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test('what it loads is there, and may be kept', async () => {
  const loaded = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`);
  expect(loaded).toEqual(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']);
  for (const path of loaded) {
    const { status, type, headers } = await dwell.get(path, {}, {});
    expect([status, type?.split(';')[0]]).toEqual([
      200,
      path.endsWith('css') ? 'text/css' : 'text/javascript',
    ]);
    expect([headers.get('cache-control'), headers.has('etag')]).toEqual(['no-cache', true]);
  }
  expect((await dwell.get('/docs/package.json', {}, {})).status).toBe(404);
  const beyond = await dwell.get('/docs/swagger-ui.css', {}, { Range: 'bytes=999999999-' });
  expect(beyond.status).toBe(200);
  // With a slash at its end the addresses in the page would lead elsewhere.
  const slashed = await fetch(`${dwell.url}/docs/`, { redirect: 'manual' });
  expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '../docs']);
});

test('its script leaves out aliases, shows samples, and heads the groups of parameters', async () => {
  const { json: document } = await dwell.get('/openapi.json', {}, {});
  const shown = await new Promise<Shown>((resolve) => {
    const body = `(async () => {${script()}})()`;
    new Script(body).runInNewContext({
      URL,
      location: { href: 'https://dwell.example.com/base/docs' },
      document: { documentElement: { classList: { toggle: () => {} } } },
      matchMedia: () => ({ matches: false }),
      fetch: async () => ({ json: async () => document }),
      SwaggerUIBundle: resolve,
    });
  });
  const { paths, servers } = shown.spec;
  expect(servers[0]?.url).toBe('https://dwell.example.com/base');
  expect([paths['/rest/list'], paths['/rest/issues']?.post]).toEqual([undefined, undefined]);
  const { description, parameters } = paths['/rest/issues']?.get ?? { description: '', parameters: [] };
  expect(description).toContain('```sh\ncurl -s -G');
  const heads = parameters.filter((one) => one['x-heads']).map((one) => one['x-group']);
  expect(heads).toEqual(['Which issues', 'What is measured', 'Which time counts', 'The answer']);
});

interface Shown {
  readonly spec: {
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  };
}

interface ShownOperation {
  readonly description: string;
  readonly parameters: readonly { readonly 'x-heads': boolean; readonly 'x-group': string }[];
}
