/**
 * The header by which a file is saved under its name (RFC 6266): whatever is not plain ASCII stands there percent-encoded,
 * beside a name that older clients take.
 */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^ -~]|["%\\/]/gu, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`;
}
