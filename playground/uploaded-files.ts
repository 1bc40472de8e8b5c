import { argumentsRefusal, Refusal } from './slack-json.ts';
import type { SlackFile } from './workspace.ts';

/** The files of the workspace, and the uploads on their way. */
export type Files = ReturnType<typeof createFiles>;

interface Upload {
  readonly fileId: string;
  readonly name: string;
  readonly length: number;
  readonly altText?: string;
  content?: Buffer;
}

const mimeTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** No file yet. */
export function createFiles({
  now,
  newId,
  url,
  user,
}: {
  now: () => number;
  newId: () => string;
  url: () => string;
  user: string;
}) {
  const uploads = new Map<string, Upload>();
  const shared = new Map<string, SlackFile>();
  return {
    find: (id: string) => shared.get(id),
    all: () => [...shared.values()],

    /** Step one of Slack's upload: an address for so many bytes. */
    begin({ name, length, altText }: { name: string; length: number; altText?: string }): {
      fileId: string;
      uploadUrl: string;
    } {
      if (length <= 0) throw argumentsRefusal('missing required field: length');
      const fileId = `F${newId().slice(0, 10)}`;
      const ticket = newId();
      uploads.set(ticket, { fileId, name, length, ...(altText ? { altText } : {}) });
      return { fileId, uploadUrl: `${url().replace(/\/$/, '')}/playground/upload/${ticket}` };
    },

    /** How many bytes an upload is to have; nothing for a ticket nobody was given. */
    announced: (ticket: string) => uploads.get(ticket)?.length,

    /** Step two: the bytes; tells why they are not taken. */
    receive(ticket: string, content: Buffer): 'ok' | 'unknown' | 'wrong length' {
      const upload = uploads.get(ticket);
      if (!upload) return 'unknown';
      if (upload.length !== content.length) return 'wrong length';
      upload.content = content;
      return 'ok';
    },

    /** Step three: the bytes become a file that can be shared. */
    complete(id: string, title: string | undefined): SlackFile {
      const [ticket, upload] = [...uploads].find(([, each]) => each.fileId === id) ?? [];
      if (!ticket || !upload?.content) throw new Refusal('file_not_found');
      uploads.delete(ticket);
      const filetype = (/\.([a-z0-9]+)$/i.exec(upload.name)?.[1] ?? 'binary').toLowerCase();
      const file: SlackFile = {
        id,
        name: upload.name,
        title: title ?? upload.name,
        mimetype: mimeTypes[filetype] ?? 'application/octet-stream',
        filetype,
        size: upload.content.length,
        created: Math.floor(now() / 1_000),
        user,
        content: upload.content,
        ...(upload.altText ? { altText: upload.altText } : {}),
      };
      shared.set(id, file);
      return file;
    },
  };
}
