/**
 * The HTML for a picture that follows the reader's light or dark colour scheme. GitHub and VitePress both
 * support it.
 *
 * @param folder relative to the page; VitePress bundles only paths that begin with a dot
 */
export function pictureTag(name: string, alt: string, folder: string): string {
  return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="${folder}/${name}-dark.svg">
  <img src="${folder}/${name}-light.svg" width="800" alt="${alt}">
</picture>`;
}
