import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A fault of the service: a status in place of an answer, a connection that breaks, or breaks once the request was served. */
export type S3Fault = { readonly status: number } | 'breaks' | 'breaks after';

/** A stand-in for a service that speaks the protocol of S3, on a loopback port. */
export type StandInS3 = Awaited<ReturnType<typeof startStandInS3>>;

interface StoredObject {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly changedAt: number;
}

interface Upload {
  readonly key: string;
  readonly begunAt: number;
  readonly parts: Map<number, Buffer>;
}

/** A request that is answered with an error of S3. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const accessKeyId = 'AKIASTANDIN';
const secretAccessKey = 'stand-in+secret/key';
const bucket = 'shelf';
const region = 'eu-central-1';

/** Requests may be signed this long (ms) before or after the clock of the service. */
const MAX_SKEW_MS = 900_000;

/** All parts of an upload but the last have at least this size in the service itself; the stand-in has its own. */
const MAX_PARTS = 10_000;

/** Starts a service with one bucket. `minPartBytes` is the least size of a part of an upload, `pageSize` of a list. */
export async function startStandInS3({
  now = Date.now,
  pageSize = 1000,
  minPartBytes = 1,
}: {
  readonly now?: () => number;
  readonly pageSize?: number;
  readonly minPartBytes?: number;
} = {}) {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  /** How the next requests end; null: they are served. */
  const faults: (S3Fault | null)[] = [];
  const served: string[] = [];
  let isAway = false;
  let count = 0;

  function serve(method: string, url: URL, headers: IncomingMessage['headers'], body: Buffer): Served {
    const [, first = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    if (first !== bucket) throw new Refused(404, 'NoSuchBucket');
    const key = rest.join('/');
    const query = url.searchParams;
    const upload = query.get('uploadId');
    if (key === '') return query.has('uploads') ? listUploads(query) : listObjects(query);
    if (method === 'POST' && query.has('uploads')) {
      count += 1;
      uploads.set(`upload-${count}&<`, { key, begunAt: now(), parts: new Map() });
      return xml(
        `<InitiateMultipartUploadResult><UploadId>upload-${count}&amp;&lt;</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (upload !== null) return serveUpload(method, key, upload, query, body);
    if (method === 'PUT') {
      const tag = tagOf(body);
      objects.set(key, { bytes: body, tag, changedAt: now() });
      return { status: 200, headers: { etag: tag } };
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    const found = objects.get(key);
    if (found === undefined) throw new Refused(404, 'NoSuchKey');
    const about = { etag: found.tag, 'last-modified': new Date(found.changedAt).toUTCString() };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (from === undefined) return { status: 200, headers: about, body: found.bytes };
    if (Number(from) >= found.bytes.length) throw new Refused(416, 'InvalidRange');
    return { status: 206, headers: about, body: found.bytes.subarray(Number(from), Number(to) + 1) };
  }

  function serveUpload(
    method: string,
    key: string,
    id: string,
    query: URLSearchParams,
    body: Buffer,
  ): Served {
    const upload = uploads.get(id);
    if (upload === undefined || upload.key !== key) throw new Refused(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      const number = Number(query.get('partNumber'));
      if (!(number >= 1 && number <= MAX_PARTS)) throw new Refused(400, 'InvalidArgument');
      upload.parts.set(number, body);
      return { status: 200, headers: { etag: tagOf(body) } };
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
    const parts = named.map(([, number, tag]) => {
      const part = upload.parts.get(Number(number));
      if (part === undefined || tagOf(part) !== tag) throw new Refused(400, 'InvalidPart');
      return part;
    });
    if (parts.length === 0) throw new Refused(400, 'MalformedXML');
    if (parts.slice(0, -1).some(({ length }) => length < minPartBytes))
      throw new Refused(400, 'EntityTooSmall');
    uploads.delete(id);
    objects.set(key, { bytes: Buffer.concat(parts), tag: `"parts-${parts.length}"`, changedAt: now() });
    return xml('<CompleteMultipartUploadResult/>');
  }

  function listObjects(query: URLSearchParams) {
    if (query.get('list-type') !== '2') throw new Refused(400, 'InvalidArgument');
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, pageSize);
    const rows = page.map((key) => {
      const { bytes, changedAt } = objects.get(key) ?? { bytes: Buffer.of(), changedAt: 0 };
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${new Date(changedAt).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    return xml(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`,
    );
  }

  function listUploads(query: URLSearchParams) {
    const rows = [...uploads]
      .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
      .map(
        ([id, { key, begunAt }]) =>
          `<Upload><Key>${escaped(key)}</Key><UploadId>${escaped(id)}</UploadId><Initiated>${new Date(begunAt).toISOString()}</Initiated></Upload>`,
      );
    return xml(`<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const method = request.method ?? '';
    const url = new URL(request.url ?? '', 'http://stand-in');
    served.push(`${method} ${decodeURIComponent(url.pathname)}`);
    const fault = isAway ? 'breaks' : faults.shift();
    if (fault === 'breaks') return void request.socket.destroy();
    response.setHeader('date', new Date(now()).toUTCString());
    try {
      if (fault !== null && typeof fault === 'object') throw new Refused(fault.status, 'InternalError');
      checkSignature(request, url, body, now());
      const { status, headers = {}, body: sent } = serve(method, url, request.headers, body);
      if (fault === 'breaks after') return void request.socket.destroy();
      response.writeHead(status, { ...headers, 'content-length': sent?.length ?? 0 });
      response.end(method === 'HEAD' ? undefined : sent);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      response.writeHead(error.status, { 'content-type': 'application/xml' });
      // As the service itself does, it repeats the key that it was sent.
      const text = `<Error><Code>${error.code}</Code><Message>no</Message><AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId></Error>`;
      response.end(method === 'HEAD' ? undefined : text);
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => request.socket.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    place: { endpoint, region, bucket, accessKeyId, secretAccessKey },
    /** The keys of all objects, in order, as a list has them. */
    keys: () => [...objects.keys()].sort(),
    /** How many uploads are neither completed nor aborted. */
    openUploads: () => uploads.size,
    /** Method and path of each request. */
    served,
    /** So many requests are served; the next ones end so, one after the other. */
    failAfter: (count: number, ...next: readonly S3Fault[]) =>
      void faults.push(...Array.from({ length: count }, () => null), ...next),
    /** From now on the service is away, or it is back. */
    setAway(away: boolean): void {
      isAway = away;
      faults.length = 0;
    },
    /** Takes an object away behind the back of everyone. */
    lose: (key: string) => void objects.delete(key),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Checks the signature of a request (AWS Signature Version 4) and of its bytes. */
function checkSignature(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  now: number,
): void {
  const [, id, day = '', itsRegion = '', service = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id === undefined) throw new Refused(403, 'AccessDenied');
  if (id !== accessKeyId) throw new Refused(403, 'InvalidAccessKeyId');
  if (itsRegion !== region || service !== 's3') throw new Refused(400, 'AuthorizationHeaderMalformed');
  const at = String(headers['x-amz-date']);
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
  const instant = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  if (!(Math.abs(instant - now) <= MAX_SKEW_MS) || !at.startsWith(day))
    throw new Refused(403, 'RequestTimeTooSkewed');
  const bodyHash = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== bodyHash) throw new Refused(400, 'XAmzContentSHA256Mismatch');
  const names = signed.split(';');
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (needed.some((name) => !names.includes(name))) throw new Refused(403, 'AccessDenied');
  const strict = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map((pair) => pair.map(strict).join('=')).sort();
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => strict(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, ' ')}`),
    '',
    signed,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', at, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  if (hmac(key, toSign).toString('hex') !== signature) throw new Refused(403, 'SignatureDoesNotMatch');
}

interface Served {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

function xml(text: string): Served {
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
