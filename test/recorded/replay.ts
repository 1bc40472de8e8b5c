import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { read, utils } from '@e965/xlsx';
import { unzipSync } from 'fflate';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { type Deed, type Json, type RecordedSlack, startRecordedSlack } from './recorded-slack.ts';

/** The folders of questions and of their answers, a file of the same name in each. */
export const folders = {
  questions: fileURLToPath(new URL('./questions/', import.meta.url)),
  answers: fileURLToPath(new URL('./answers/', import.meta.url)),
};

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const ownVersion = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.])`, 'g');

/** From here on only the beginning of an answer is kept, with what tells whether the rest is the same. */
const MOST_CHARACTERS = 20_000;

const FIRST_LINES = 40;

/** Said of a connection and not of an answer. */
const untoldHeaders = new Set([
  ...[
    'connection',
    'content-encoding',
    'content-length',
    'date',
    'x-request-id',
    'etag',
    'ratelimit',
    'ratelimit-policy',
    'keep-alive',
    'transfer-encoding',
    'vary',
  ],
]);

/** Answers by the line they were asked with. */
type Answers = Map<string, string>;

/** The names of the files of questions; each is asked in a Dwell of its own. */
export const worlds = readdirSync(folders.questions).map((name) => name.replace('.txt', ''));

/** The answers as they were recorded; none where nothing was. */
export function readAnswers(world: string): Answers {
  let text = '';
  try {
    text = readFileSync(`${folders.answers}${world}.txt`, 'utf8');
  } catch {
    return new Map();
  }
  const parts = text.split(/^### /m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1).trimEnd()];
    }),
  );
}

/** The answers as a file. */
export function writeAnswers(answers: Answers): string {
  return [...answers].map(([question, answer]) => `### ${question}\n${answer}\n`).join('\n');
}

/** What a Home tab waits for (ms) before it shows what it has so far. */
const HOME_MS = 400;

/** The least and the most (ms) that is left of the pause between two posts in a channel, which this Slack does not want. */
const [MIN_APART_MS, MAX_APART_MS] = [501, 1_100];

/**
 * Pauses as they are, but for those: what is quick is in the tab, however busy the machine is, and a digest is posted at
 * once.
 */
function slackWait(ms: number): Promise<void> {
  const isBetweenPosts = ms >= MIN_APART_MS && ms <= MAX_APART_MS;
  return pause(ms === HOME_MS ? 20_000 : isBetweenPosts ? 0 : ms, undefined, { ref: false });
}

/**
 * Asks all questions of a file in order, in a Dwell of their own. `recorded` says for how much is waited in Slack; without
 * it Dwell is waited for until it does nothing more.
 */
export async function replay(world: string, recorded: Answers | null): Promise<Answers> {
  const lines = readFileSync(`${folders.questions}${world}.txt`, 'utf8').split('\n');
  const asked = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [first = '', ...questions] = asked;
  const settings = new Map(
    first
      .replace('world ', '')
      .split(' ')
      .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  const at = settings.get('at') ?? '';
  settings.delete('at');
  const slack = await startRecordedSlack();
  slack.next('000', Date.parse(at));
  const environment = { ...slack.environment, ...Object.fromEntries(settings) };
  const dwell = await startDwell({ at, environment, slackApiUrl: slack.apiUrl, slackWait });
  slack.botAt(dwell.url);
  const asking = {
    dwell,
    slack,
    kept: new Map<string, string>(),
    last: null as Json,
    expected: null as number | null,
  };
  const answers: Answers = new Map();
  try {
    for (const line of questions) {
      let name = line;
      for (let again = 2; answers.has(name); again += 1) name = `${line} #${again}`;
      slack.next(numberOf(name), dwell.clock.now);
      const known = recorded?.get(name);
      asking.expected = recorded === null ? null : countDeeds(known ?? '');
      const answer = await ask(line, asking).catch((error) => `FAILED ${error.message}`);
      if (answer !== null) answers.set(name, shorten(normalize(answer, asking)));
    }
  } finally {
    await dwell.stop();
    await slack.stop();
  }
  return answers;
}

/** Three digits that belong to a question wherever it stands. */
function numberOf(name: string): string {
  return String(Number.parseInt(sha256(name).slice(0, 8), 16) % 1000).padStart(3, '0');
}

interface Asking {
  readonly dwell: TestDwell;
  readonly slack: RecordedSlack;
  /** What later questions name by `$`. */
  readonly kept: Map<string, string>;
  /** The last answer that was JSON. */
  last: Json;
  readonly expected: number | null;
}

/** What came of one line; null where it asked nothing. */
async function ask(written: string, asking: Asking): Promise<string | null> {
  const { dwell, slack, kept } = asking;
  const line = written.replace(/\$(\w+)/g, (whole, name) => kept.get(name) ?? whole);
  const [, keep, path] = /^keep (\w+) = (.+)$/.exec(line) ?? [];
  if (keep !== undefined && path !== undefined) {
    const found = path.split('.').reduce((value, member) => value?.[member], asking.last);
    if (found === undefined) return `FAILED nothing to keep: ${path}`;
    kept.set(keep, String(found));
    return null;
  }
  if (line.startsWith('clock ')) {
    dwell.clock.now = Date.parse(line.slice('clock '.length));
    return null;
  }
  if (line === 'tick') {
    // A clock that went ahead is believed when it is seen a second time.
    await dwell.tellsDigests();
    await dwell.tellsDigests();
    const deeds = (await slack.settled(asking.expected)).map((deed) => tellDeeds('', [deed]));
    // Whose turn it is first is by ids, which are random.
    const untimed = deeds.map((deed) =>
      deed.replace(/"\d{10}\.\d{6}"/g, '"<ts>"').replace(/"run":"\w{10} /g, '"run":"<name> '),
    );
    return untimed.toSorted().join('\n');
  }
  if (line.startsWith('cli: ')) return runCli(line.slice('cli: '.length), asking);
  const [, who = '', at, text = ''] = /^([\w*~]+)(?:@([\w-]+))?: (.*)$/s.exec(line) ?? [];
  const [, wanted, polled] = /^until (\w+) (.*)$/.exec(text) ?? [];
  if (wanted !== undefined && polled !== undefined) {
    // What ended otherwise is an answer as well: another one.
    const ends = [wanted, 'Failed', 'Aborted', 'Expired'].map((state) => `"${state}"`);
    while (true) {
      const answer = await askRest(who, polled, asking);
      if (ends.some((state) => answer.includes(state))) return answer;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  if (/^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) /.test(text)) return askRest(who, text, asking);
  const answer = await doInSlack(text, slack.place(who, at), slack);
  return tellDeeds(answer, await slack.settled(asking.expected));
}

/** Something somebody does in Slack; what Dwell answers at once. */
async function doInSlack(
  text: string,
  place: ReturnType<RecordedSlack['place']>,
  slack: RecordedSlack,
): Promise<string> {
  const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  if (verb.startsWith('/')) return slack.types(text, place);
  if (verb === 'says') return slack.says(rest, place);
  if (verb === 'home') return slack.opensHome(place.user);
  if (verb === 'submit') return slack.submits(rest === '' ? {} : JSON.parse(rest), place);
  if (verb === 'shortcut') return slack.picks(rest, place, null);
  if (verb === 'message') return slack.picks('time-in-status', place, rest);
  if (verb === 'dismiss') {
    slack.dismisses(place);
    return '';
  }
  const [, where = '', name = '', entry = ''] = /^(home )?"([^"]+)"\s*(.*)$/.exec(rest) ?? [];
  if (verb === 'menu') return slack.asksFor(name, place, entry);
  if (verb === 'click') {
    return slack.clicks(name, place, { where: where.trim(), entry: entry === '' ? null : JSON.parse(entry) });
  }
  throw new Error(`${verb} is nothing that can be done in Slack`);
}

function tellDeeds(answer: string, deeds: readonly Deed[]): string {
  const start = answer.indexOf('{');
  const ack = start < 0 ? answer : `${answer.slice(0, start)}\n${tellJson(JSON.parse(answer.slice(start)))}`;
  return [ack, ...deeds.map(({ method, args }) => `> ${method} ${tellJson(args, tellUpload)}`)]
    .join('\n')
    .trim();
}

/** What was uploaded stands in for itself by its content. */
function tellUpload(value: Json): Json {
  const content = value?.upload?.content;
  if (!Buffer.isBuffer(content)) return value;
  return {
    ...value,
    upload: { name: value.upload.name, content: tellFile(content, value.upload.name).split('\n') },
  };
}

async function runCli(line: string, { dwell }: Asking): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const beside = dwell.beside.length;
  const typed = words.map((word) => word.replace('FIXTURES/', fixtures));
  const { lines, code } = await dwell.types(...typed).catch(({ message, details }) => ({
    lines: [message, ...details].map((sentence: string) => `! ${sentence}`),
    code: 1,
  }));
  return [...lines, ...dwell.beside.slice(beside).map((one) => `! ${one}`), `exit ${code}`].join('\n');
}

async function askRest(who: string, text: string, asking: Asking): Promise<string> {
  const { dwell } = asking;
  const [, method = '', path = '', rest = ''] = /^(\S+) (\S+)\s*(.*)$/s.exec(text) ?? [];
  const [, user = '', admin, way = ''] = /^(\w+?)(\*)?(?:~(\w+))?$/.exec(who) ?? [];
  const headers: Record<string, string> =
    user === 'nobody' ? {} : await dwell.headerOf(user, { admin: admin === '*' });
  const token = headers.Authorization?.replace('TISJWT ', '') ?? '';
  if (way === 'basic') headers.Authorization = `Basic ${btoa(`${user}:${token}`)}`;
  if (way === 'bearer') headers.Authorization = `Bearer ${token}`;
  if (way === 'false') headers.Authorization = 'TISJWT nonsense';
  const parameters = new URLSearchParams(way === 'query' ? { tisjwt: token } : {});
  if (way === 'query') delete headers.Authorization;
  let body: string | undefined;
  if (/^[[{"]/.test(rest)) {
    body = rest;
    headers['Content-Type'] = 'application/json';
  } else {
    for (const pair of rest.split(' & ').filter((one) => one !== '')) {
      parameters.append(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    if (method === 'POST') {
      body = String(parameters);
      headers['Content-Type'] = 'application/x-www-form-urlencoded';
    }
  }
  const query = method !== 'POST' && String(parameters) !== '' ? `?${parameters}` : '';
  const answer = await fetch(`${dwell.url}${path}${query}`, {
    ...{ method, headers, redirect: 'manual' },
    ...(body === undefined ? {} : { body }),
  });
  const content = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('json') && content.length > 0) asking.last = JSON.parse(content.toString());
  const told = [...answer.headers].filter(([name]) => !untoldHeaders.has(name));
  const name = answer.headers.get('content-disposition')?.match(/filename="?([^";]+)/)?.[1] ?? '';
  return [
    String(answer.status),
    ...told.map(([header, value]) => `${header}: ${value}`),
    '',
    type.includes('json') && content.length > 0 ? tellJson(asking.last) : tellFile(content, name),
  ].join('\n');
}

/** Text is told as it is, a workbook or an archive by all that is in it. */
function tellFile(content: Buffer, name: string): string {
  const isZip = content.subarray(0, 2).toString() === 'PK';
  const isCompound =
    content.readUInt32BE?.length && content.length > 8 && content.readUInt32BE(0) === 0xd0cf11e0;
  if (name.endsWith('.xlsx') || isCompound) return tellWorkbook(content, isZip);
  if (isZip) {
    return Object.entries(unzipSync(content))
      .map(([part, bytes]) => `${part}:\n${tellFile(Buffer.from(bytes), part)}`)
      .join('\n');
  }
  // Of a picture the size: how its curves are drawn is the processor's affair.
  if (content.subarray(1, 4).toString() === 'PNG') {
    return `PNG ${content.readUInt32BE(16)} x ${content.readUInt32BE(20)}`;
  }
  return content.toString().replaceAll('\r\n', '\n').replace('\uFEFF', '<byte order mark>');
}

/** Every cell with its value and format, then a digest of every part of the file. */
function tellWorkbook(content: Buffer, isZip: boolean): string {
  const { SheetNames, Sheets } = read(content, { cellNF: true, cellDates: false, cellStyles: true });
  const sheets = SheetNames.map((name) => {
    const sheet = Sheets[name] ?? {};
    const range = utils.decode_range(sheet['!ref'] ?? 'A1');
    const rows = Array.from({ length: range.e.r + 1 }, (_, r) =>
      Array.from({ length: range.e.c + 1 }, (_, c) => {
        const cell = sheet[utils.encode_cell({ r, c })];
        if (cell === undefined || cell.v === undefined) return '';
        return cell.t === 's' ? cell.v : `${cell.v}{${cell.z ?? ''}}`;
      }).join(' | '),
    );
    return [`sheet ${name}`, ...rows].join('\n');
  });
  const parts = isZip ? Object.entries(unzipSync(content)) : [];
  return [
    ...sheets,
    ...parts.map(([part, bytes]) => `part ${part} ${sha256(withoutVersion(bytes)).slice(0, 16)}`),
  ].join('\n');
}

/** JSON on as few lines of at most 160 characters as it needs, its members in the order they came in. */
function tellJson(given: Json, replace: (value: Json) => Json = (value) => value, indent = ''): string {
  const value = replace(given);
  const flat = JSON.stringify(value);
  if (value === null || typeof value !== 'object' || indent.length + flat.length <= 158) return flat;
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((member: Json) => inner + tellJson(member, replace, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${tellJson(member, replace, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

/** Where such a name stands: as the value of a button, in what a form keeps, at the head of a line of the command line. */
const madeUpName =
  /(?:"value":\s?"(?:[\w-]+ )?|"private_metadata":\s?"|\\"(?:run|id|digest|watch)\\":\\"|"run":\s?"|^)((?=\d*[a-z])[\da-z]{10})(?="|\\"| {2}of | )/gm;

/** What is random, or of the machine, and nothing else. */
function normalize(answer: string, { kept, dwell }: Asking): string {
  let text = answer;
  for (const [name, value] of kept) if (value.length > 7) text = text.replaceAll(value, `$${name}`);
  // Names of answers, digests and watches: ten characters, made up each time.
  for (const [, id = ''] of text.matchAll(madeUpName)) text = text.replaceAll(id, '<name>');
  const uuids = new Map<string, string>();
  return (
    text
      .replace(/("nextPageToken":\s?"|x-next-page-token: )[\w-]+/g, '$1<page token>')
      // Ids of what is kept, and references of failures to a line of the log.
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, (uuid) => {
        uuids.set(uuid, uuids.get(uuid) ?? `<uuid ${uuids.size + 1}>`);
        return uuids.get(uuid) ?? '';
      })
      // Tokens are signed or sealed with a key that every store has its own of.
      .replace(/eyJ[\w-]+(\.[\w-]*){2,4}/g, '<token>')
      // The beginning of an id.
      .replace(/\bRun [\da-f]{8}\b/g, 'Run <name>')
      .replaceAll(fixtures, 'FIXTURES/')
      .replaceAll(dwell.dataDir, '<data>')
      // What is answered is the same whatever it is called.
      .replace(ownVersion, '<version>')
  );
}

/** How much Dwell did in Slack, whether all of it was kept or not. */
function countDeeds(answer: string): number {
  const [, count] = /^… .* (\d+) deeds, sha256/m.exec(answer) ?? [];
  return count === undefined ? (answer.match(/^> /gm)?.length ?? 0) : Number(count);
}

function shorten(answer: string): string {
  if (answer.length <= MOST_CHARACTERS) return answer.trimEnd();
  const lines = answer.split('\n');
  const deeds = countDeeds(answer);
  const rest = `… ${lines.length} lines, ${answer.length} characters${deeds > 0 ? `, ${deeds} deeds` : ''}, sha256 ${sha256(answer)}`;
  return [...lines.slice(0, FIRST_LINES).map((line) => line.slice(0, 400)), rest].join('\n');
}

/** The text of a part of a workbook, which may say by which version it was made. */
const withoutVersion = (bytes: Uint8Array) => Buffer.from(bytes).toString().replace(ownVersion, '<version>');

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
