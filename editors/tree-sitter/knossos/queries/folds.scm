[(definition) (declaration) (rule) (special_form)] @fold
