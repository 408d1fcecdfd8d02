//? DEFAULT_EXPORT_NOT_PRODUCT
export default {
  name: "acme",
  origin: "https://api.example.com",
};
