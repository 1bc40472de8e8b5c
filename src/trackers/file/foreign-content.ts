/** Requests that answer issues with their histories. */
const SEARCH =
  'GET /rest/api/3/search/jql?jql=project=WEB&fields=*all&expand=changelog (Data Center: /rest/api/2/search)';
const ISSUE = 'GET /rest/api/3/issue/WEB-1?expand=changelog (Data Center: /rest/api/2)';
const EXPORT_JSON = `Export JSON instead: ${SEARCH}.`;

/** The first bytes of files that are packed in another way than gzip. */
const packings: readonly (readonly [start: string, name: string])[] = [
  ['PK\x03\x04', 'ZIP'],
  ['PK\x05\x06', 'ZIP'],
  ['7z\xbc\xaf', '7z'],
  ['BZh', 'bzip2'],
  ['\xfd7zXZ', 'xz'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
];

/** The offset at which a tar archive names itself. */
const TAR_AT = 257;
const WORKBOOK = '[Content_Types].xml';

/**
 * The kind of a file that is no JSON, by its first bytes, and what to export instead, in two sentences; null for what
 * may be JSON, broken or not.
 */
export function foreignFile(start: Buffer): string | null {
  const bytes = start.toString('latin1');
  if (bytes.startsWith('PK') && bytes.includes(WORKBOOK)) return withoutHistories('an Excel workbook');
  const [, packing] = packings.find(([begin]) => bytes.startsWith(begin)) ?? [];
  const packed = packing ?? (bytes.startsWith('ustar', TAR_AT) ? 'tar' : null);
  if (packed !== null)
    return `this is a ${packed} archive. Unpack it and import the JSON files in it; only gzip is unpacked here.`;
  if (bytes.startsWith('\xd0\xcf\x11\xe0')) return withoutHistories('an Excel or Word file');
  if (bytes.startsWith('%PDF')) return withoutHistories('a PDF');
  const text = start.toString('utf8').replace(/^\ufeff?\s*/, '');
  if (/^<(!doctype html|html|head|body|table|meta)\b/i.test(text))
    return `this is a web page, such as Jira's login page or an export for Excel. Send the account's token with the request: ${SEARCH}.`;
  if (text.startsWith('<')) return withoutHistories('XML');
  return isCsv(text) ? withoutHistories('CSV') : null;
}

function withoutHistories(what: string): string {
  return `this is ${what}, which has no histories. ${EXPORT_JSON}`;
}

/**
 * Returns true where a text begins with a line of titles; the first line of JSON begins with a bracket, or is a part of
 * JSON.
 */
function isCsv(text: string): boolean {
  const [titles = ''] = text.split('\n', 1);
  return /^[^{[\]},;\t]+[,;\t]/.test(titles) && !/^"[^"]*"\s*:/.test(titles);
}

/** Letters that are shown of what Jira said. */
const MAX_MESSAGE = 200;

/** The kind of an answer of Jira that has no issue in it, and what to export instead; null for any other. */
export function foreignAnswer(raw: object): string | null {
  const get = (member: string): unknown => Reflect.get(raw, member);
  if (typeof get('webhookEvent') === 'string')
    return `this is a webhook of Jira, which has no history. Export the issue instead: ${ISSUE}.`;
  const isEntry = Array.isArray(get('items')) && 'created' in raw;
  if (isEntry || Array.isArray(get('histories')) || Array.isArray(get('issueChangeLogs')))
    return `these are changelog entries without their issue. Export the issue with them: ${ISSUE}.`;
  const message = errorMessage(raw);
  return message === null ? null : `this is an error of Jira: ${message} ${EXPORT_JSON}`;
}

/** The message of Jira, or of its gateway, in place of an answer; null where it is no error. */
function errorMessage(raw: object): string | null {
  const messages: unknown = Reflect.get(raw, 'errorMessages');
  const errors: unknown = Reflect.get(raw, 'errors');
  const single: unknown = Reflect.get(raw, 'message') ?? Reflect.get(raw, 'error');
  if (!Array.isArray(messages) && typeof single !== 'string') return null;
  const all = [
    ...(Array.isArray(messages) ? messages : [single]),
    ...(errors !== null && typeof errors === 'object' ? Object.values(errors) : []),
  ].filter((one) => typeof one === 'string' && one !== '');
  const text = all.join(' ').slice(0, MAX_MESSAGE);
  return text === '' ? 'it does not say why.' : `"${text}".`;
}

/** The problem with a file whose JSON is no known answer of Jira. */
export const unknownAnswer = `this JSON has no issues as Jira's REST API returns them. ${EXPORT_JSON}`;
