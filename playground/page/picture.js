import { h, safeUrl } from './dom.js';

/** An image of a block or an element: by its address, or a file of the workspace. */
export function picture({ image_url, slack_file, alt_text }, kind) {
  const file = slack_file?.id && `/playground/files/${encodeURIComponent(slack_file.id)}/image`;
  const src = file ?? safeUrl(image_url ?? slack_file?.url ?? '');
  return h('img', { class: kind, src, alt: alt_text, loading: 'lazy' });
}
