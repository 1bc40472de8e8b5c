import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher } from 'undici';
import { AppError, systemCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';

/** A bucket of a service that speaks the protocol of S3, and as whom it is used. */
export interface S3Place {
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The beginning of all keys, without slashes at its ends; empty for none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The clock, the pauses and the chance of a client, which tests replace. */
export interface S3Surroundings {
  readonly now: () => Instant;
  /** Resolves after a number of ms. */
  readonly wait: (ms: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The facts about an object that are known without reading it. */
interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly changedAt: Instant;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes;
}

interface S3Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** The client of one bucket. */
export type S3Client = ReturnType<typeof createS3Client>;

/** The most times that a request is sent, and the longest pause (ms) before the second one; each further one is twice as long. */
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 200;

/** The most time (ms) of opening a connection, and of silence on one. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;

/** Answers after which the same request may be answered otherwise. */
const PASSING = [429, 500, 502, 503, 504];

/**
 * Speaks to one bucket, by addresses that have the bucket in their path. Each request has all its bytes in memory: they are
 * signed as well, and sent again where the service fails for a moment.
 */
export function createS3Client(place: S3Place, { now, wait, random }: S3Surroundings) {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = place;
  const agent = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  });
  const where = `bucket '${bucket}' at ${endpoint}`;

  async function sendOnce({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Answer> {
    const path = [bucket, ...(key === '' ? [] : key.split('/'))].map(encodeURIComponent).join('/');
    const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='));
    const signed = await new AwsV4Signer({
      method,
      url: `${endpoint}/${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
      headers: { ...headers, 'x-amz-content-sha256': await sha256(body ?? new Uint8Array()) },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      datetime: new Date(now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign();
    const { origin, pathname, search } = signed.url;
    const sent: Dispatcher.RequestOptions = {
      origin,
      path: `${pathname}${search}`,
      method,
      body: body ?? null,
      headers: Object.fromEntries(signed.headers),
    };
    const answer = await agent.request(sent);
    const header = (name: string) => [answer.headers[name] ?? []].flat()[0];
    return { status: answer.statusCode, header, body: new Uint8Array(await answer.body.arrayBuffer()) };
  }

  /** Sends a request until it is answered, for a bounded number of times; `missing` are codes of answers that say no more. */
  async function send(request: S3Request, missing: readonly string[] = []): Promise<S3Answer | null> {
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === MAX_TRIES;
      try {
        const answer = await sendOnce(request);
        const { status, body } = answer;
        if (status < 300) return answer;
        const code = tagsOf(textOf(body), 'Code')[0] ?? '';
        if (missing.includes(code) || (status === 404 && request.method === 'HEAD')) return null;
        if (isLast || !PASSING.includes(status)) throw refused(request, status, code);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const code = systemCode(error);
        if (code === null) throw error;
        if (isLast) throw failed(`cannot be reached: ${code}`, error);
      }
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1) * (1 - random() / 2));
    }
  }

  function refused({ method }: S3Request, status: number, code: string): AppError {
    const why = `answered ${method} with ${[String(status), code].join(' ').trim()}`;
    if (PASSING.includes(status)) return failed(why);
    return failed(`${why}. Check BLOBS, S3_ENDPOINT, S3_REGION, and what its access key is allowed to do`);
  }

  function failed(why: string, cause?: unknown): AppError {
    return new AppError('store-unavailable', `The ${where} ${why}.`, [], { cause });
  }

  async function sure(request: S3Request): Promise<S3Answer> {
    return (await send(request)) ?? never();
  }

  return {
    /** The place of an object, as people read it. */
    placeOf: (key: string) => `'${key}' in the ${where}`,
    /** Returns an object, or its bytes from `first` to `last`; null where there is none. */
    async get(key: string, range?: { readonly first: number; readonly last: number }) {
      const headers = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` };
      const answer = await send({ method: 'GET', key, headers }, ['NoSuchKey']);
      if (answer === null) return null;
      const isWhole = range === undefined || answer.body.length === range.last - range.first + 1;
      if (!isWhole) throw failed('did not answer with the part of an object that was asked for');
      return answer.body;
    },
    /** Returns what is known of an object; null where there is none. */
    async head(key: string): Promise<Omit<ListedObject, 'key'> | null> {
      const answer = await send({ method: 'HEAD', key });
      if (answer === null) return null;
      const changedAt = Date.parse(answer.header('last-modified') ?? '');
      return { bytes: Number(answer.header('content-length')), changedAt };
    },
    async put(key: string, body: Bytes): Promise<void> {
      await sure({ method: 'PUT', key, body });
    },
    async remove(key: string): Promise<void> {
      await send({ method: 'DELETE', key }, ['NoSuchKey']);
    },
    /** Lists the objects whose keys begin so, page by page, each with the time that the service's own clock had then. */
    async *list(prefix: string): AsyncGenerator<{ objects: readonly ListedObject[]; at: Instant }, void> {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const more = token === '' ? {} : { 'continuation-token': token };
        const { body, header } = await sure({
          method: 'GET',
          key: '',
          query: { 'list-type': '2', prefix, ...more },
        });
        const text = textOf(body);
        const objects = tagsOf(text, 'Contents').map((one) => ({
          key: unescaped(tagsOf(one, 'Key')[0] ?? ''),
          bytes: Number(tagsOf(one, 'Size')[0]),
          changedAt: Date.parse(tagsOf(one, 'LastModified')[0] ?? ''),
        }));
        const clock = Date.parse(header('date') ?? '');
        yield { objects, at: Number.isNaN(clock) ? now() : clock };
        const next = unescaped(tagsOf(text, 'NextContinuationToken')[0] ?? '');
        token = tagsOf(text, 'IsTruncated')[0] === 'true' && next !== '' ? next : undefined;
      }
    },
    /** Begins an upload in several parts; nothing of it is seen before it is completed. */
    async beginUpload(key: string): Promise<string> {
      const { body } = await sure({ method: 'POST', key, query: { uploads: '' } });
      return unescaped(tagsOf(textOf(body), 'UploadId')[0] ?? '');
    },
    /** Uploads a part (the first is 1), and returns its tag. */
    async uploadPart(key: string, upload: string, number: number, body: Bytes): Promise<string> {
      const query = { partNumber: String(number), uploadId: upload };
      return (await sure({ method: 'PUT', key, query, body })).header('etag') ?? '';
    },
    /** Completes an upload; false where there is none, which a first try whose answer was lost may have completed. */
    async completeUpload(key: string, upload: string, tags: readonly string[]): Promise<boolean> {
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = new TextEncoder().encode(
        `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
      );
      const request: S3Request = { method: 'POST', key, query: { uploadId: upload }, body };
      const answer = await send(request, ['NoSuchUpload']);
      // A service that takes long to put the parts together answers 200 before it knows how that ends.
      const code = answer === null ? undefined : tagsOf(textOf(answer.body), 'Code')[0];
      if (code !== undefined) throw refused(request, 200, code);
      return answer !== null;
    },
    async abortUpload(key: string, upload: string): Promise<void> {
      await send({ method: 'DELETE', key, query: { uploadId: upload } }, ['NoSuchUpload']);
    },
    /** Returns uploads that were begun and neither completed nor aborted, the first thousand. */
    async uploads(prefix: string) {
      const { body } = await sure({ method: 'GET', key: '', query: { uploads: '', prefix } });
      return tagsOf(textOf(body), 'Upload').map((one) => ({
        key: unescaped(tagsOf(one, 'Key')[0] ?? ''),
        id: unescaped(tagsOf(one, 'UploadId')[0] ?? ''),
        begunAt: Date.parse(tagsOf(one, 'Initiated')[0] ?? ''),
      }));
    },
  };
}

async function sha256(bytes: Bytes): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The contents of elements of a name: the answers of S3 are XML without attributes that matter, and nest none in itself. */
function tagsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);|&#(x?)([\da-f]+);/gi, (whole, hex, digits) =>
    digits === undefined
      ? (entities[whole] ?? whole)
      : String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
  );
}

function never(): never {
  throw new Error('A request without codes of its own has an answer or fails.');
}
