import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { millisecondsInHour } from 'date-fns/constants';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { settingsSchema } from '../src/compose/settings-schema.ts';
import { createMeters } from '../src/telemetry/prometheus.ts';
import { exportFile, jiraIssue, movesTo, searchResult } from './support/jira-export.ts';
import { startDwell, type TestDwell } from './support/start-dwell.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));

/** What only tests and benches read. */
const ofTests = new Set(['SOAK', 'UPDATE', 'ISSUES']);

/** A block of shell that a page shows; `unrun` is why the tests cannot run it. */
interface Block {
  readonly page: string;
  readonly lines: readonly string[];
  readonly unrun: string | null;
}

const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)].filter((page) =>
  page.endsWith('.md'),
);
const blocks = pages.flatMap((page): Block[] =>
  [...read(page).matchAll(/(?:<!-- not run: ([^>]+?) -->\s+)?^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
    ([, unrun = null, text = '']) => ({ page, unrun, lines: commandsOf(text) }),
  ),
);

/** The commands of a block, each on one line; remarks left out. */
function commandsOf(text: string): string[] {
  return text
    .replaceAll(/ *\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.split(' && '))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The words of a command, as a shell without anything but quotes and variables reads them. */
function wordsOf(line: string, variables: ReadonlyMap<string, string>): string[] {
  const known = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name) => variables.get(name) ?? `$${name}`);
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"|([^'"]+)/g,
      (_, plain, quoted, bare) => plain ?? known(quoted ?? bare),
    ),
  );
}

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell({ at: '2026-03-18T12:00:00Z', meters: createMeters() });
});
afterAll(() => dwell.stop());

/** Sends what curl would; the answer's status. */
async function curl(words: readonly string[]): Promise<number> {
  let [method, isGet, url] = ['', false, ''];
  const headers: Record<string, string> = {};
  const data: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const next = () => words[++i] ?? '';
    if (word === '-H') {
      const [name = '', value = ''] = next().split(/: (.*)/s);
      headers[name] = value;
    } else if (word === '-u') headers.Authorization = `Basic ${Buffer.from(next()).toString('base64')}`;
    else if (word === '-d') data.push(next());
    else if (word === '--data-urlencode') {
      const [name = '', value = ''] = next().split(/=(.*)/s);
      data.push(`${name}=${encodeURIComponent(value)}`);
    } else if (word === '-X') method = next();
    else if (/^-[sGOJ]+$/.test(word)) isGet ||= word.includes('G');
    else url = word.replace('http://localhost:3000', dwell.url);
  }
  const sent = data.join('&');
  const query = isGet && sent !== '' ? `?${sent}` : '';
  const isForm = sent !== '' && !isGet;
  const response = await fetch(`${url}${query}`, {
    method: method || (isForm ? 'POST' : 'GET'),
    headers: { ...(isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}), ...headers },
    ...(isForm ? { body: sent } : {}),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Runs a command that a page shows; null where it went well. */
async function problemOf(line: string, variables: Map<string, string>): Promise<string | null> {
  const [, variable, inner] = /^(\w+)=\$\((.*)\)$/.exec(line) ?? [];
  const [program, ...words] = wordsOf(inner ?? line, variables);
  const [setting] = /^[A-Z][A-Z_]+(?==)/.exec(line) ?? [];
  if (setting !== undefined) {
    const rest = line.replace(/^(?:[A-Z][A-Z_]+=\S*\s*)+/, '');
    if (!(setting in settingsSchema.shape) && !ofTests.has(setting)) return `${setting} is no setting`;
    return rest === '' ? null : problemOf(rest, variables);
  }
  switch (program) {
    case 'npx': {
      if (words[0] !== 'dwell') return `npx ${words[0]} is not ours`;
      const args = words
        .slice(1)
        .map((word) => (word.endsWith('.db') ? join(temporaryFolder(), word) : word));
      const { lines, code } = await dwell.types(...args);
      if (variable !== undefined) variables.set(variable, lines[0] ?? '');
      return code === 0 ? null : `exit code ${code}: ${lines.join(' ')}`;
    }
    case 'curl': {
      const status = await curl(words);
      return status < 400 ? null : `status ${status}`;
    }
    case 'npm': {
      const [first = '', second = ''] = words;
      const script = first === 'run' ? second : first;
      return script === 'install' || script in scripts ? null : `there is no script ${script}`;
    }
    default:
      return `${program} is not known here`;
  }
}

describe.each(blocks.map((block, i) => [`${block.page} ${i}`, block] as const))('%s', (_, block) => {
  test(`${block.unrun === null ? 'runs' : 'is not run'}: ${block.lines.join('; ')}`, async () => {
    if (block.unrun !== null) return expect(block.unrun).toMatch(/^(needs|it) /);
    const variables = new Map<string, string>();
    for (const line of block.lines) {
      // A token of a block above.
      if (!variables.has('token'))
        variables.set('token', (await dwell.headerOf('ada')).Authorization.split(' ')[1] ?? '');
      const problem = await problemOf(line, variables).catch((error: unknown) => String(error));
      expect([line, problem]).toEqual([line, null]);
    }
  });
});

test('compose keeps the data where the image does, on the port it opens', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const image = read('Dockerfile');
  const [, volume] = /^VOLUME (\S+)$/m.exec(image) ?? [];
  const [, port] = /^EXPOSE (\d+)$/m.exec(image) ?? [];
  const { dwell: service } = services;
  expect(service.volumes).toEqual([`${Object.keys(volumes)[0]}:${volume}`]);
  expect(service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  for (const [name, value] of Object.entries(service.environment))
    expect(image).toContain(`${name}=${value}`);
});

describe('the worked example of docs/metrics.md', () => {
  const [, section = ''] = read('docs/metrics.md').split('## A worked example\n');
  const tables = section.split('\n## ')[0]?.matchAll(/^\|[-|]+\|\n((?:\|.*\|\n)+)/gm) ?? [];
  const [changes = [], figures = []] = [...tables].map(([, rows = '']) =>
    rows
      .trim()
      .split('\n')
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
  let world: TestDwell;
  beforeAll(async () => {
    world = await startDwell({ at: '2026-01-20T00:00:00Z' });
    const created = { created: '2026-01-05T09:00:00.000Z', status: 'To Do' };
    const issue = changes.reduce(
      (story, [when = '', , to = '']) =>
        story.at(new Date(`${when.slice(4)} UTC`).toISOString(), movesTo(to)),
      jiraIssue('DEMO-1', created),
    );
    const other = jiraIssue('DEMO-2', { ...created, status: 'Review' }).at(
      '2026-01-05T19:00:00.000Z',
      movesTo('Done'),
    );
    await world.types('import', exportFile(searchResult(issue.onCloud(), other.onCloud())));
    const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];
    const hours = { start: 9 * millisecondsInHour, end: 17 * millisecondsInHour };
    await world.as('ada', { admin: true }).postJson('/rest/calendars', {
      ...{ name: 'Office', timeZone: 'Europe/Berlin' },
      workingTimes: days.map((weekday) => ({ weekday, ...hours })),
    });
  });
  afterAll(() => world.stop());

  const cells = async (path: string, parameters: Record<string, string>) => {
    const { json } = await world.get(path, {
      columnsBy: 'statusDuration',
      viewFormat: 'hours',
      ...parameters,
    });
    const { header, body } = json.table;
    const title = (id: string) => header.valueColumns.find((one: { id: string }) => one.id === id)?.value;
    return new Map<string, { value: string; count: string }>(
      body.rows[0].valueColumns.map(({ id, ...cell }: { id: string }) => [title(id), cell]),
    );
  };

  test.each([
    ['24/7', 'normalHours', 2],
    ['working hours', 'Office', 3],
  ])('has the figures that Dwell answers, in %s', async (_, calendar, column) => {
    const found = await cells('/rest/issue', { issueKey: 'DEMO-1', calendar });
    expect(figures).toHaveLength(3);
    for (const row of figures) {
      const { value, count } = found.get(row[0] ?? '') ?? {};
      expect([row[0], count, value]).toEqual([row[0], row[1], row[column]]);
    }
  });

  test.each([
    ['average', '8.25'],
    ['median', '8.25'],
    ['percentile', '9.475'],
  ])('has the %s of both issues', async (aggregationType, figure) => {
    const both = { filterType: 'customjql', customjql: 'key in (DEMO-1, DEMO-2)', aggregationType };
    expect((await cells('/rest/issues/aggregation', both)).get('Review')?.value).toBe(figure);
    expect(section).toContain(figure);
  });
});
