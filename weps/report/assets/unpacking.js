// The blocks of data: deflated, in base64, see weps/report/data.py.
async function unpacked(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(inflated).arrayBuffer());
}

const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
const [numberBytes, tieBytes, pairBytes] = await Promise.all(["numbers", "ties", "pairs"].map(unpacked));
