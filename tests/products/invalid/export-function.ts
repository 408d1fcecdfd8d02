//? DEFAULT_EXPORT_NOT_PRODUCT
export default function product() {
  return { origin: "https://api.example.com" };
}
