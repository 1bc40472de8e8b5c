import type { Method } from '../method.ts';
import { refuseArguments } from '../refusal.ts';

/** Step one of an upload. */
export const filesGetUploadUrlExternal: Method = {
  name: 'files.getUploadURLExternal',
  run: (args, { files }) => {
    const [name, length, altText] = [args.required('filename'), args.count('length'), args.text('alt_txt')];
    if (length === undefined) throw refuseArguments('missing required field: length');
    const { fileId, uploadUrl } = files.begin({ name, length, ...(altText ? { altText } : {}) });
    return { upload_url: uploadUrl, file_id: fileId };
  },
};
